/* The shared objects of this folder have no code of their own. */
typedef int tileiras_nothing;

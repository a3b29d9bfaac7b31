"""Times launches on a device. All times are microseconds.

A device has: record(), which puts an event into the stream; elapsed(first, second); synchronize(); flush(), which fills the
L2 cache with lines that nobody has written; and flush_us, how long that takes.
"""

import math
import statistics

HOST_US = 40  # at most, for a launch to be on its way: PyTorch's operations take the longest


class Effort:
    """seconds: of the device, for either way of measuring; least and most: launches."""

    def __init__(self, seconds=0.2, least=7, most=100):
        self.seconds, self.least, self.most = seconds, least, most

    def launches(self, each):
        return max(self.least, min(self.most, int(self.seconds * 1e6 / max(each, 1e-3))))


def of_each(device, launch, count):
    """Of one of `count` launches that follow each other."""
    first = device.record()
    for _ in range(count):
        launch()
    last = device.record()
    device.synchronize()
    return device.elapsed(first, last) / count


def estimate(device, launch, effort):
    """Roughly, of launches that follow each other; they are the warm-up, too."""
    launch()
    device.synchronize()
    return of_each(device, launch, min(3, effort.least))


def one_by_one(device, launch, count):
    """A time for each launch, none of which finds its data in the L2 cache. While the cache is flushed the host is ahead."""
    events = []
    for _ in range(count):
        device.flush()
        first = device.record()
        launch()
        events.append((first, device.record()))
    device.synchronize()
    return [device.elapsed(*pair) for pair in events]


def back_to_back(device, launch, count, each):
    """Of one launch, where they follow each other. Something else keeps the device busy until enough of them are on their
    way."""
    hold = math.ceil(count * HOST_US / max(device.flush_us, 1)) if each < HOST_US else 1
    for _ in range(min(hold, 200)):
        device.flush()
    return of_each(device, launch, count)


def measure(device, launch, effort):
    """us: the median of launches one by one; back_to_back_us; and the samples."""
    each = estimate(device, launch, effort)
    samples = one_by_one(device, launch, effort.launches(each + device.flush_us))
    return {"us": round(statistics.median(samples), 3), "least_us": round(min(samples), 3),
            "back_to_back_us": round(back_to_back(device, launch, effort.launches(each), each), 3),
            "samples_us": [round(sample, 3) for sample in samples]}


def event_overhead(device, effort):
    """What two events with nothing between them show."""
    return round(statistics.median(one_by_one(device, lambda: None, effort.least)), 3)

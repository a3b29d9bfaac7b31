"""A client of the language server, as editors are: JSON-RPC through pipes."""

import itertools
import json
import subprocess


class Client:
    """with Client(command) as client: client.ask("textDocument/hover", …)"""

    def __init__(self, *command):
        self.command, self.numbers, self.told = list(map(str, command)), itertools.count(1), []

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.capabilities = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})["capabilities"]
        self.tell("initialized", {})
        return self

    def __exit__(self, *_):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.communicate(timeout=30)
        self.code = self.process.returncode

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        for line in iter(self.process.stdout.readline, b"\r\n"):
            assert line, "the server has ended: " + self.process.stderr.read().decode(errors="replace")
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def tell(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def ask(self, method, parameters):
        number = next(self.numbers)
        self.send({"id": number, "method": method, "params": parameters})
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]
            self.told.append(message)

    def open(self, path, text, language="mlir"):
        """Opens a document. Returns what is wrong with it."""
        uri = f"file://{path}"
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})
        return uri, self.diagnostics(uri)

    def diagnostics(self, uri):
        while True:
            for message in self.told:
                if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                    self.told.remove(message)
                    return message["params"]["diagnostics"]
            self.told.append(self.receive())

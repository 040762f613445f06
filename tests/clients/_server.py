"""A server on this machine that speaks both interfaces, and counts what it is asked."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Answers with the number of the request and what was said last."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.path, body, headers))
        if self.server.fail:
            answer = {"error": {"message": f"refused {dict(self.headers)}"}}
            self._send(400, answer)
            return
        said = body["messages"][-1]["content"]
        text = self.server.say(len(self.server.asked), said, dict(self.headers))
        if self.path.endswith("/chat/completions"):
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
            answer = {"id": "1", "object": "chat.completion", "created": 0}
            answer |= {"model": "tiny-1", "choices": [choice], "usage": usage}
        else:
            content = [{"type": "text", "text": text}]
            usage = {"input_tokens": 7, "output_tokens": 3}
            answer = {"id": "1", "type": "message", "role": "assistant"}
            answer |= {"model": "tiny-1", "content": content, "usage": usage}
            answer |= {"stop_reason": "end_turn", "stop_sequence": None}
        self._send(200, answer)

    def _send(self, status, answer):
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


@contextlib.contextmanager
def serving(say=None):
    """A server on a free port of this machine; `asked` lists what it was sent."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked, server.fail = [], False
    server.say = say or (lambda number, said, headers: f"reply {number} to {said}")
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

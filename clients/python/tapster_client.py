#!/usr/bin/env python3
"""A small client of the Tapster API, and an example of its use. Needs Python 3.9 or later and nothing else.

    export TAPSTER_URL=http://tapster.local:8080 TAPSTER_KEY=...
    python3 tapster_client.py drinks           the drinks of the bar, newest first
    python3 tapster_client.py record 1 330     records 330 mL at the tap with the id 1; needs a staff key
    python3 tapster_client.py follow           prints what changes at the bar, until it is interrupted
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class TapsterError(Exception):
    """A request that the daemon refused: HTTP status, sentence, and field name -> what is allowed."""

    def __init__(self, status, error):
        super().__init__(error.get("message", f"The server answered {status}."))
        self.status = status
        self.code = error.get("code", "")
        self.fields = error.get("fields", {})


class Tapster:
    def __init__(self, url, key=None, timeout_s=10):
        self.url = url.rstrip("/")
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.timeout_s = timeout_s

    def request(self, method, address, body=None, headers=None):
        """Sends a request and returns the `result` of the answer. Raises TapsterError."""
        with self._open(method, self.url + address, body, headers) as response:
            return json.load(response)["result"]

    def rows(self, address, name, **query):
        """Yields the rows of a list, each once; `name` is the property that holds them."""
        next_address = address + ("?" + urllib.parse.urlencode(query) if query else "")
        while next_address is not None:
            page = self.request("GET", next_address)
            yield from page[name]
            next_address = page["paging"]["next"]

    def record_drink(self, tap, volume_ml, username=None):
        """Records a drink without a meter and returns it. The daemon does it once, however often it is sent."""
        body = {"volume_ml": volume_ml}
        if username is not None:
            body["username"] = username
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        address = f"/api/taps/{urllib.parse.quote(tap, safe='')}/record-drink"
        for seconds in (1, 2, None):
            try:
                return self.request("POST", address, body, headers)["drink"]
            except TapsterError as error:
                if seconds is None or error.status not in (429, 502, 503, 504):
                    raise
            except (OSError, http.client.HTTPException):
                if seconds is None:
                    raise
            time.sleep(seconds)

    def live(self):
        """Yields (event, data) of the live stream, `snapshot` and `pour`; opens it again when it ends."""
        pause_s = 2
        while True:
            try:
                # The daemon sends a comment every 15 seconds; a longer silence is a lost connection.
                with self._open("GET", self.url + "/api/live", timeout_s=45) as response:
                    event, data = "message", []
                    for line in response:
                        name, _, value = line.decode().rstrip("\r\n").partition(":")
                        value = value.removeprefix(" ")
                        if name == "event":
                            event = value
                        elif name == "data":
                            data.append(value)
                        elif name == "retry":
                            pause_s = int(value) / 1000
                        elif name == "" and data:
                            yield event, json.loads("\n".join(data))
                            event, data = "message", []
            except TapsterError as error:
                if error.status < 500 and error.status != 429:
                    raise
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(pause_s)

    def _open(self, method, url, body=None, headers=None, timeout_s=None):
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data=content, method=method)
        for name, value in {**self.headers, **(headers or {})}.items():
            request.add_header(name, value)
        if content is not None:
            request.add_header("Content-Type", "application/json")
        try:
            return urllib.request.urlopen(request, timeout=timeout_s or self.timeout_s)
        except urllib.error.HTTPError as error:
            with error:
                try:
                    answer = json.load(error)
                except ValueError:
                    answer = {}
            raise TapsterError(error.code, answer.get("error", {})) from None


def main(arguments):
    tapster = Tapster(os.environ.get("TAPSTER_URL", "http://localhost:8080"), os.environ.get("TAPSTER_KEY"))
    command = arguments[0] if arguments else ""
    if command == "drinks":
        for drink in tapster.rows("/api/drinks", "drinks"):
            print(drink["id"], drink["pour_time"], f"{drink['volume_ml']:.0f} mL", drink["user_id"] or "-")
    elif command == "record" and len(arguments) == 3:
        drink = tapster.record_drink(arguments[1], float(arguments[2]))
        print(f"Drink {drink['id']}: {drink['volume_ml']:.0f} mL")
    elif command == "follow":
        for event, data in tapster.live():
            if event == "pour":
                print(f"tap {data['tap_id']}: {data['volume_ml']:.0f} mL {data['state']}", flush=True)
            elif event == "snapshot":
                print(f"{data['title']}: {len(data['taps'])} taps", flush=True)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except TapsterError as error:
        sys.exit("\n".join([str(error), *(f"  {name}: {allowed}" for name, allowed in error.fields.items())]))
    except KeyboardInterrupt:
        pass

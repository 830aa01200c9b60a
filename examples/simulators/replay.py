"""A simulator of one's own, in Python: docs/simulator-contract.md describes the lines that it reads and prints."""

import json
import sys

MS_PER_INPUT_TOKEN, MS_PER_OUTPUT_TOKEN, MS_PER_REQUEST_IN_FLIGHT = 0.02, 6.0, 0.05


def predict(point, requests):
    if point["deployment"]["spec"]["method"] != "none":
        return {"not_scored": {"reason": "unsupported_layout", "detail": "speculative decoding is not modelled"}}
    token_ms = MS_PER_OUTPUT_TOKEN + MS_PER_REQUEST_IN_FLIGHT * point["concurrency"]
    rows = []
    for index, (input_tokens, output_tokens) in enumerate(requests):
        ttft_ms = MS_PER_INPUT_TOKEN * input_tokens + token_ms
        e2e_ms = ttft_ms + token_ms * (output_tokens - 1)
        row = {"request": index, "input_tokens": input_tokens, "output_tokens": output_tokens}
        rows.append(row | {"ttft_ms": ttft_ms, "e2e_ms": e2e_ms})
    return {"rows": rows}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"], "answer": predict(request["point"], request["requests"])}
    print(json.dumps({"schema": "simulator-answer.v1"} | answer), flush=True)

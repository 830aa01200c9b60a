#!/bin/sh
# A simulator of one's own, in shell: docs/simulator-contract.md describes the lines that it reads and prints.

# The value of a field that occurs once; only good for the plain names and numbers that are needed here.
field() {
  printf '%s\n' "$line" | sed "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/"
}

while IFS= read -r line; do
  means=$(echo "$(field isl) $(field concurrency)" |
    LC_ALL=C awk '{ printf "\"ttft_ms\":%.3f,\"tpot_ms\":%.3f", 20 + 0.02 * $1, 6 + 0.05 * $2 }')
  printf '{"schema":"simulator-answer.v1","id":"%s","answer":{"estimate":{%s}}}\n' "$(field id)" "$means"
done

#!/usr/bin/env bash
# Commits what a command changes in data/, and nothing else, on top of a branch, and pushes it:
#   scripts/nightly/push-data.sh MESSAGE COMMAND…
# The command is run on the newest commit of the branch. When somebody else pushes in the meantime, or the branch is
# pushed anew with another history, it is run again on what is there then: so it must be one that may be repeated, as
# publishing a snapshot is. Nothing is forced, and a command that fails leaves the branch as it was.
#
# REMOTE (origin) and BRANCH (main) say where. PUSH_TOKEN is shown to that server alone, in no address and no argument.

set -euo pipefail

remote=${REMOTE:-origin}
branch=${BRANCH:-main}
message=$1
shift

if [ -n "${PUSH_TOKEN:-}" ]; then
  credentials=$(printf 'x-access-token:%s' "$PUSH_TOKEN" | base64 | tr -d '\n')
  export GIT_CONFIG_COUNT=1
  export GIT_CONFIG_KEY_0="http.${GITHUB_SERVER_URL:-https://github.com}/.extraheader"
  export GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $credentials"
  unset credentials PUSH_TOKEN
fi

as_bot() {
  git -c user.name='github-actions[bot]' \
    -c user.email='41898282+github-actions[bot]@users.noreply.github.com' "$@"
}

for attempt in 1 2 3 4 5; do
  git fetch --quiet --depth=1 "$remote" "+refs/heads/$branch:refs/remotes/$remote/$branch"
  git checkout --quiet --force --detach "refs/remotes/$remote/$branch"
  git clean --quiet --force -d -x -- data
  "$@"
  git add --all -- data
  if git diff --cached --quiet; then
    echo "data/ is up to date on $branch: nothing to commit"
    exit 0
  fi
  as_bot commit --quiet --message "$message"
  if git push --quiet "$remote" "HEAD:refs/heads/$branch"; then
    echo "pushed $(git rev-parse HEAD) to $branch"
    exit 0
  fi
  echo "attempt $attempt: $branch was not taken, as it may have moved; again on what is there now" >&2
done

echo "error: the change of data/ could not be pushed to $branch" >&2
exit 1

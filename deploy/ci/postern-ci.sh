#!/bin/sh
# One run of CI: syncs the lock files of a folder, uploads reports of scanners, and finds out what is used. Ends with 3 where a verdict is
# as bad as POSTERN_FAIL_ON or worse, with 1 where something failed.
#
#   POSTERN_URL       the server, such as https://postern.example.com
#   POSTERN_PROJECT   the project's id or name
#   SERVICE_API_KEY   a ReadWrite key; keep it in the secrets of CI
#   POSTERN_FOLDER    what is synced and analyzed; the working folder if absent
#   POSTERN_SARIF, POSTERN_ZAP, POSTERN_TRIVY, POSTERN_GRYPE   reports to upload, one to a line
#   POSTERN_REPO      the repository that SARIF reports are of; what origin says if absent
#   POSTERN_FAIL_ON   known_exploited, likely_exploitable or needs_review; nothing fails if absent
#   POSTERN_REACH     the command reach, where it is installed; the server's own package if absent
set -eu
: "${POSTERN_URL:?the address of the server}" "${POSTERN_PROJECT:?the id or the name of the project}"
: "${SERVICE_API_KEY:?a ReadWrite key of the organisation}"
export SERVICE_API_KEY SERVICE_API_URL="$POSTERN_URL"
folder=${POSTERN_FOLDER:-.}
reach=${POSTERN_REACH:-npx --yes --package $POSTERN_URL/download/postern.tgz reach}
upload() {
  kind=$1 reports=$2
  shift 2
  printf '%s\n' "$reports" | while IFS= read -r report; do
    if [ -n "$report" ]; then $reach upload "$kind" "$report" --project "$POSTERN_PROJECT" "$@"; fi
  done
}

$reach sync "$folder" --project "$POSTERN_PROJECT"
if [ -n "${POSTERN_SARIF:-}" ]; then
  upload sarif "$POSTERN_SARIF" --repo "${POSTERN_REPO:-$(git -C "$folder" remote get-url origin)}"
fi
upload zap "${POSTERN_ZAP:-}"
upload trivy "${POSTERN_TRIVY:-}"
upload grype "${POSTERN_GRYPE:-}"
$reach analyze "$folder" --project "$POSTERN_PROJECT" ${POSTERN_FAIL_ON:+--fail-on "$POSTERN_FAIL_ON"}

"""Values that others of the same body decide."""

from __future__ import annotations

import base64
import re
from datetime import UTC, datetime
from uuid import UUID

import pytest

from hook_widgets.webhooks import provider
from tests.webhooks.data.test_captured_members import part

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58(uuid: str) -> str:
    number, digits = UUID(uuid).int, ""
    while number:
        number, digit = divmod(number, 58)
        digits = BASE58[digit] + digits
    return digits


@pytest.mark.parametrize(
    ("uuid", "digits"),
    [
        ("66491562-90a9-4065-9249-4b0ce3b77452", "DdaVtNusHqi24D4YT3X4eu"),
        ("2a68fe5f-2fe5-4d4f-91e1-15f111116743", "6EkDPZoN4ZdMKKZtBkRodt"),
        ("39f0325f-b957-4b73-bdf5-05eb3d76699f", "89xcrx7UvWQfzcUPAEmu5Q"),
        ("28cb0ea5-e88c-43e0-a052-ed0294f0b6d0", "63AY3yf3XeUQojmQcGZTtB"),
    ],
)
def test_circleci_writes_an_id_in_base58(uuid: str, digits: str) -> None:
    """Organizations and projects of CircleCI's documentation and of zulip's fixtures of September 2022."""
    assert base58(uuid) == digits


@pytest.mark.parametrize("event", ["job-completed.gitlab", "workflow-completed.gitlab"])
def test_the_slug_of_a_project_of_circleci_is_made_of_its_ids(event: str) -> None:
    """Of a project that is not of GitHub's OAuth app or of Bitbucket Cloud."""
    body = part("circleci", event, "")
    slug = f"circleci/{base58(body['organization']['id'])}/{base58(body['project']['id'])}"

    assert body["project"]["slug"] == slug
    assert f"/pipelines/{slug}/{body['pipeline']['number']}/" in body["workflow"]["url"]


def test_jira_gives_a_change_of_the_assignee_an_id_of_its_own() -> None:
    """Its id is larger than those before: mattermost/mattermost-plugin-jira server/testdata has 10227
    (started), 10230 (assigned) and 10235 (raised) of one issue.
    """
    first, later = (part("atlassian-connect", f"jira:issue_{event}", "") for event in ("created", "updated"))
    changes = int(later["changelog"]["id"]) - int(first["changelog"]["id"])
    fields = [item["field"] for item in later["changelog"]["items"]]
    old, new = (body["issue"]["fields"]["assignee"] for body in (first, later))

    assert old == new or "assignee" in fields or changes > 1


def test_launchdarkly_describes_a_rule_by_the_name_of_its_variation() -> None:
    """By its name, if it has one: getsentry/sentry tests/sentry/flags, "from ~~`on`~~ to `off`"."""
    served = re.findall(r"\*\*serve\*\* `\d+%` `(.+?)`", part("launchdarkly", "flag.rules", "description"))
    names = {variation["name"] for variation in part("launchdarkly", "flag.on", "currentVersion.variations")}

    assert served
    assert set(served) <= names


SONAR_WAY = {
    "new_coverage": ("LESS_THAN", "80"),
    "new_duplicated_lines_density": ("GREATER_THAN", "3"),
    "new_security_hotspots_reviewed": ("LESS_THAN", "100"),
    "new_violations": ("GREATER_THAN", "0"),
}


@pytest.mark.parametrize("event", ["ok", "error", "pull_request", "branch", "changed"])
def test_the_gate_sonar_way_has_its_four_conditions(event: str) -> None:
    """In the order of a delivery of 9 September 2025 kept in a public repository."""
    gate = part("sonarqube", f"quality_gate.{event}", "qualityGate")
    conditions = [(one["metric"], (one["operator"], one["errorThreshold"])) for one in gate["conditions"]]

    assert gate["name"] == "Sonar way"
    assert conditions == list(SONAR_WAY.items())
    assert (gate["status"] == "ERROR") == any(one["status"] == "ERROR" for one in gate["conditions"])


@pytest.mark.parametrize(("event", "status"), [("ok", "NO_VALUE"), ("changed", "OK")])
def test_a_condition_of_sonarqube_without_a_value_is_ok_after_a_change_of_an_issue(
    event: str, status: str
) -> None:
    """SonarSource/sonarqube ConditionEvaluator; QualityGateMeasuresStep decides in an analysis."""
    gate = part("sonarqube", f"quality_gate.{event}", "qualityGate")

    assert [one["status"] for one in gate["conditions"] if "value" not in one] == [status]


@pytest.mark.parametrize("event", ["ok", "error", "pull_request", "branch"])
def test_sonarqube_tells_of_each_analysis_what_scm_and_ci_it_detected(event: str) -> None:
    """SonarSource/sonarqube ContextPropertiesPublisher: these two, and then those of the analysis."""
    detected = ["sonar.analysis.detectedscm", "sonar.analysis.detectedci"]

    assert list(part("sonarqube", f"quality_gate.{event}", "properties"))[:2] == detected
    assert list(part("sonarqube", "analysis.failed", "properties")) == detected
    assert sorted(part("sonarqube", "quality_gate.changed", "properties")) == sorted(detected)


def test_snyk_tells_the_nearest_fix_of_containers_only() -> None:
    """Snyk's OpenAPI document: nearestFixedInVersion "is populated for container projects only"; it is empty
    beside a fixedIn of 5.0.0 in the delivery of an npm project in port-labs/port-docs.
    """
    snapshot = part("snyk", "project_snapshot", "")
    (issue,) = snapshot["newIssues"]

    assert snapshot["project"]["type"] == "pip"
    assert [issue[member]["nearestFixedInVersion"] for member in ("issueData", "fixInfo")] == ["", ""]


@pytest.mark.parametrize("event", [one.name for one in provider("bitbucket").all_events])
def test_each_reviewer_of_a_pull_request_of_bitbucket_participates(event: str) -> None:
    """Also before an answer, with null for the time: User02 in atlassian-api/atlassian-python-api
    tests/responses/bitbucket/cloud/2.0, pull request 1.
    """
    pull_request = part("bitbucket", event, "").get("pullrequest", {"reviewers": [], "participants": []})
    people = {one["user"]["uuid"]: one["role"] for one in pull_request["participants"]}

    assert {one["uuid"]: "REVIEWER" for one in pull_request["reviewers"]}.items() <= people.items()


@pytest.mark.parametrize("event", ["pr:merged", "pr:declined"])
def test_a_closed_pull_request_of_bitbucket_server_is_two_versions_older(event: str) -> None:
    """go-playground/webhooks testdata/bitbucket-server: 0 in pr-opened and in what its reviewer answers, and
    2 in pr-merged; 2 also 15 seconds after it was opened, in pull_request_declined_body.json of
    jenkinsci/atlassian-bitbucket-server-integration-plugin.
    """
    assert part("bitbucket-server", "pr:reviewer:approved", "pullRequest.version") == 0
    assert part("bitbucket-server", event, "pullRequest.version") == 2


def test_gitea_counts_the_fork_before_the_branch_is_deleted() -> None:
    """The fork has still both branches of its parent, so the branch is deleted after the fork."""
    forkee, after = part("gitea", "fork", "forkee"), part("gitea", "delete", "repository")

    assert forkee["release_counter"] == after["release_counter"]
    assert forkee["branch_count"] == after["branch_count"] + 1
    assert after["forks_count"] == forkee["forks_count"] + 1


@pytest.mark.parametrize("state", ["scheduled", "started", "finished", "promised_exit_status"])
def test_a_job_of_buildkite_is_named_in_the_configuration_of_its_pipeline(state: str) -> None:
    """As "Build :package:" in the configuration, steps and jobs of buildkite/docs rest_api/pipelines.md."""
    pipeline, job = part("buildkite", f"job.{state}", "pipeline"), part("buildkite", f"job.{state}", "job")
    lines = [f'label: "{job["name"]}"', f'key: "{job["step_key"]}"', f'command: "{job["command"]}"']

    assert pipeline["configuration"] == "steps:\n  - " + "\n    ".join(lines) + "\n"
    assert [(step["name"], step["command"]) for step in pipeline["steps"]] == [(job["name"], job["command"])]
    assert all(
        part("buildkite", one.name, "pipeline.configuration") == pipeline["configuration"]
        for one in provider("buildkite").all_events
        if one.name.startswith("build.")
    )


def test_a_fork_of_bitbucket_in_the_workspace_of_a_user_is_of_the_user() -> None:
    """The workspace has the uuid and the name of its owner, and the project its avatar below the workspace:
    jenkinsci/bitbucket-branch-source-plugin signed_payload.json (2025) and pullrequest_updated.json (2026).
    """
    fork = part("bitbucket", "repo:fork", "fork")
    owner, workspace, project = fork["owner"], fork["workspace"], fork["project"]
    address = f"https://bitbucket.org/{workspace['slug']}/workspace/projects/{project['key']}"

    assert (workspace["uuid"], workspace["name"]) == (owner["uuid"], owner["display_name"])
    assert project["links"]["html"]["href"] == address
    assert project["links"]["avatar"]["href"].startswith(f"{address}/avatar/32?ts=")


@pytest.mark.parametrize(("name", "path"), [("gitea", "issues"), ("forgejo", "pulls")])
def test_a_comment_on_a_pull_request_names_it_twice(name: str, path: str) -> None:
    """The issue of the pull request, with the address that models/issues/issue.go APIURL gives, and itself;
    services/convert/issue_comment.go: the comment has the address of the pull request and of no issue.
    """
    body = part(name, "issue_comment.pull_request", "")
    issue, pull_request, comment = body["issue"], body["pull_request"], body["comment"]
    shared = ("number", "title", "body", "user", "state", "comments", "created_at", "updated_at", "html_url")

    assert body["is_pull"]
    assert issue["url"].endswith(f"/analytical-engines/difference/{path}/24")
    assert [issue[member] for member in shared] == [pull_request[member] for member in shared]
    assert (comment["pull_request_url"], comment["issue_url"]) == (pull_request["html_url"], "")
    assert part(name, "pull_request.merged", "pull_request.comments") == 2  # this one and the review


@pytest.mark.parametrize("name", ["gitea", "forgejo"])
def test_a_request_of_a_review_names_the_reviewer(name: str) -> None:
    """services/webhook/notifier.go PullRequestReviewRequest."""
    body, opened = part(name, "pull_request.review_requested", ""), part(name, "pull_request.opened", "")

    assert body["requested_reviewer"] in body["pull_request"]["requested_reviewers"]
    assert {**body, "action": "opened", "requested_reviewer": None} == opened


def test_a_tag_of_bitbucket_is_deleted_as_it_was_created() -> None:
    """cloud/tag_created.json and tag_deleted.json of jenkinsci/bitbucket-branch-source-plugin (2025)."""
    (before,) = part("bitbucket", "repo:push.tag_created", "push.changes")
    (after,) = part("bitbucket", "repo:push.tag_deleted", "push.changes")

    assert (after["old"], after["new"]) == (before["new"], before["old"])
    assert list(after) == [member for member in before if member != "links"]
    assert (after["created"], after["closed"]) == (False, True)


def test_a_new_tag_of_bitbucket_server_comes_with_the_commits_to_the_first() -> None:
    """server/tag_created.json (2025), and pushPayload_v10.json (2026) for a branch: four commits, of
    which the last has no parents; nothing but zeros comes before.
    """
    body = part("bitbucket-server", "repo:refs_changed.tag_created", "")
    (change,), commits = body["changes"], body["commits"]

    assert (change["type"], change["ref"]["type"], change["fromHash"]) == ("ADD", "TAG", 40 * "0")
    assert commits[0]["id"] == body["toCommit"]["id"] == change["toHash"]
    assert commits[-1]["parents"] == []
    assert change["toHash"] == part("bitbucket-server", "pr:opened", "pullRequest.toRef.latestCommit")


@pytest.mark.parametrize("event", [one.name for one in provider("render").all_events])
def test_the_id_of_an_event_of_render_is_an_xid_of_its_time(event: str) -> None:
    """rs/xid: twelve bytes as 20 digits of base32hex, the first four of them seconds. The four types that
    Render's changelog of 14 November 2025 names have a status.
    """
    body = part("render", event, "")
    seconds = int.from_bytes(base64.b32hexdecode(body["data"]["id"][4:].upper() + "====")[:4])
    ended = {f"{name}_ended" for name in ("build", "deploy", "cron_job_run", "job_run")}

    assert datetime.fromtimestamp(seconds, UTC).isoformat()[:19] == body["timestamp"][:19]
    assert ("status" in body["data"]) == (body["type"] in ended)


@pytest.mark.parametrize("name", ["gitea", "forgejo"])
def test_a_new_fork_has_only_code_and_pull_requests(name: str) -> None:
    """As in go-gitea/gitea models/unit/unit.go DefaultForkRepoUnits and services/repository/fork.go."""
    forkee, fork = part(name, "fork", "forkee"), part(name, "fork", "repository")
    units = {unit for unit, on in fork.items() if unit.startswith("has_") and on}

    assert units <= {"has_code", "has_pull_requests"}
    assert "internal_tracker" not in fork
    assert (fork["size"], fork["watchers_count"]) == (0, 0)
    assert fork["parent"]["forks_count"] == forkee["forks_count"] + 1


@pytest.mark.parametrize(("name", "opened"), [("gitea", 0), ("forgejo", 1)])
def test_only_forgejo_counts_what_an_event_opens(name: str, opened: int) -> None:
    """As in go-gitea/gitea services/pull/pull.go and Forgejo models/repo/repo.go NumOpenPulls."""
    issue = part(name, "issues.opened", "repository.open_issues_count")
    pull = part(name, "pull_request.opened", "pull_request.base.repo.open_pr_counter")

    assert (issue, pull) == (opened, opened)
    assert part(name, "pull_request.merged", "repository.open_pr_counter") == 0


def test_a_plan_of_orb_changes_when_its_prices_begin() -> None:
    """As in orb-billing 4.90.0 types/subscription_plan_changed_webhook_event.py: a transition."""
    changed = part("orb", "subscription.plan_changed", "")
    planned = part("orb", "subscription.plan_change_scheduled", "")
    begins = changed["subscription"]["price_intervals"][-1]["start_date"]

    assert planned["created_at"] < begins <= changed["created_at"]
    assert planned["properties"]["change_date"] == begins
    assert planned["properties"]["new_plan_id"] == changed["subscription"]["plan"]["id"]


def test_a_recording_of_recall_is_done_after_its_media() -> None:
    """As in https://docs.recall.ai/docs/recording-webhooks: all data of the media is available."""
    media = ("video_mixed", "audio_mixed", "participant_events")
    times = [part("recall-ai", f"{name}.done", "data.data.updated_at") for name in media]

    assert max(times) < part("recall-ai", "recording.done", "data.data.updated_at")


@pytest.mark.parametrize(("name", "counted"), [("gitea", [1, 2]), ("forgejo", [0, 0])])
def test_only_gitea_counts_the_comment_that_it_tells_of(name: str, counted: list[int]) -> None:
    """As in services/issue/comments.go of both (Gitea loads the issue again), and as a delivery of
    Codeberg in fedora-infra/webhook-to-fedora-messaging-messages
    tests/test_forgejo/events/issue_comment.py has it.
    """
    events = ("issue_comment.created", "issue_comment.pull_request")

    assert [part(name, event, "issue.comments") for event in events] == counted
    assert part(name, events[1], "pull_request.comments") == counted[1]


@pytest.mark.parametrize("name", ["gitea", "forgejo"])
def test_a_repository_is_updated_after_each_push(name: str) -> None:
    """As in go-gitea/gitea services/repository/push.go UpdateRepositoryUpdatedTime, also in Forgejo."""
    updated = {
        event: part(name, event, "repository.updated_at")
        for event in (
            "push",
            "issue_comment.created",
            "pull_request.approved",
            "pull_request.merged",
            "issues.closed",
        )
    }
    pushed = part(name, "push", "head_commit.timestamp")
    again = part(name, "pull_request.synchronized", "pull_request.updated_at")

    assert updated.pop("push") < pushed < updated.pop("issue_comment.created") < again
    assert set(updated.values()) == {again}

"""Rate limit fields of public responses: of documentation, issues and tests in public repositories.

The reading of each was decided from its source before `observe` read it. Fields that do not concern limits
are left out, and without a Date the time of the response is chosen.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from hook_widgets.ratelimit.http.observed import observe

# Source, time of the response, fields, limits (quota, remaining, reset_s, window_s), Retry-After in seconds,
# and fields that are listed as not used.
PUBLIC = [
    (
        "Mashery: response_test.go of a client of Battle.net in Go",
        1460916000,
        (
            "X-Plan-Qps-Allotted: 100\nX-Plan-Qps-Current: 5\nX-Plan-Quota-Allotted: 36000\n"
            "X-Plan-Quota-Current: 32\nX-Plan-Quota-Reset: Sunday, April 17, 2016 7:00:00 PM GMT"
        ),
        [(100, 95, None, 1), (36000, 35968, 3600, None)],
        None,
        [],
    ),
    (
        "developer.keap.com, API token quota and usage measurements",
        1586500000,
        (
            "x-keap-product-quota-limit: 150000\nx-keap-product-quota-time-unit: day\n"
            "x-keap-product-quota-interval: 1\nx-keap-product-quota-available: 149999\n"
            "x-keap-product-quota-used: 1\nx-keap-product-quota-expiry-time: 1586563200000\n"
            "x-keap-product-throttle-limit: 1500\nx-keap-product-throttle-time-unit: minute\n"
            "x-keap-product-throttle-interval: 1\nx-keap-product-throttle-available: 0"
        ),
        [(150000, 149999, 63200, 86400), (1500, 0, None, 60)],
        None,
        [],
    ),
    (
        "bhushankummar/amazon-mws#5",
        1362596818,
        (
            "x-mws-quota-max: 3600\nx-mws-quota-remaining: 0\n"
            "x-mws-quota-resetsOn: Wed, 06 Mar 2013 19:07:58 GMT"
        ),
        [(3600, 0, 60, None)],
        None,
        [],
    ),
    (
        "3scale/apisonator, docs/extensions.md",
        0,
        "3scale-limit-remaining: 0\n3scale-limit-reset: 45\n3scale-limit-max-value: 60",
        [(60, 0, 45, None)],
        None,
        [],
    ),
    (
        "docs.rollbar.com, rate limits: the seconds that remain are no requests",
        1600000000,
        (
            "X-Rate-Limit-Limit: 5000\nX-Rate-Limit-Remaining: 0\nX-Rate-Limit-Reset: 1600000058\n"
            "X-Rate-Limit-Remaining-Seconds: 58"
        ),
        [(5000, 0, 58, None)],
        None,
        [],
    ),
    (
        "apitree.ai/docs/quotas",
        0,
        "X-Key-Daily-Used: 142\nX-Key-Daily-Cap: 1000\nX-Key-Daily-Remaining: 858",
        [(1000, 858, None, 86400)],
        None,
        [],
    ),
    (
        "docs.pingdom.com/api, rate limiting",
        0,
        (
            "Req-Limit-Short: Remaining: 394 Time until reset: 3589\n"
            "Req-Limit-Long: Remaining: 71994 Time until reset: 2591989"
        ),
        [(None, 394, 3589, None), (None, 71994, 2591989, None)],
        None,
        [],
    ),
    (
        "a server for tests of Pingdom's clients",
        0,
        "Req-Limit-Short: Remaining: 2000 Time left: 3600",
        [(None, 2000, 3600, None)],
        None,
        [],
    ),
    (
        "a gateway with the quota of draft 03 before a server with X-RateLimit",
        1600000000,
        (
            "RateLimit-Limit: 300, 300;window=60\nX-RateLimit-Limit: 300\nX-RateLimit-Remaining: 0\n"
            "X-RateLimit-Reset: 1600000042"
        ),
        [(300, 0, 42, 60)],
        None,
        [],
    ),
    (
        "the same without the quota of the server",
        1600000000,
        "RateLimit-Limit: 300\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1600000042",
        [(300, 0, 42, None)],
        None,
        [],
    ),
    (
        "RevenueCat/docs, openapi-spec/api-v2-beta.yaml: the usage includes the request",
        0,
        "RevenueCat-Rate-Limit-Current-Usage: 1\nRevenueCat-Rate-Limit-Current-Limit: 60",
        [(60, 59, None, None)],
        None,
        [],
    ),
    (
        "DataDog/dd-trace-py, tests/cassettes/mistral: what the query cost is no limit",
        0,
        (
            "x-ratelimit-limit-req-minute: 60\nx-ratelimit-remaining-req-minute: 59\n"
            "x-ratelimit-tokens-query-cost: 15"
        ),
        [(60, 59, None, 60)],
        None,
        ["x-ratelimit-tokens-query-cost"],
    ),
    (
        "oktadeveloper/okta-blog-archive#170",
        1366037790,
        "X-Rate-Limit-Limit: 20\nX-Rate-Limit-Remaining: 15\nX-Rate-Limit-Reset: 1366037820",
        [(20, 15, 30, None)],
        None,
        [],
    ),
    (
        "oktadeveloper/okta-blog-archive#170, authn",
        1447534580,
        "X-Rate-Limit-Limit: 1\nX-Rate-Limit-Remaining: 0\nX-Rate-Limit-Reset: 1447534590",
        [(1, 0, 10, None)],
        None,
        [],
    ),
    (
        "anthropics/anthropic-sdk-typescript#357",
        0,
        (
            "anthropic-ratelimit-requests-limit: 5\n"
            "anthropic-ratelimit-requests-remaining: 0\n"
            "anthropic-ratelimit-requests-reset: 2024-03-26T20:00:00Z\n"
            "anthropic-ratelimit-tokens-limit: 25000\n"
            "anthropic-ratelimit-tokens-remaining: 16000\n"
            "anthropic-ratelimit-tokens-reset: 2024-03-26T20:00:00Z\n"
            "date: Tue, 26 Mar 2024 19:59:59 GMT\n"
            "x-should-retry: true"
        ),
        [(5, 0, 1, None), (25000, 16000, 1, None)],
        None,
        [],
    ),
    (
        "discord/discord-api-docs#5646",
        1668618050,
        (
            "x-ratelimit-bucket: d1240eeffb4c549bd62b579ece0ffd01\n"
            "x-ratelimit-limit: 50000\n"
            "x-ratelimit-remaining: 48773\n"
            "x-ratelimit-reset: 1668720787.644\n"
            "x-ratelimit-reset-after: 102737.719"
        ),
        [(50000, 48773, Fraction("102737.719"), None)],
        None,
        ["x-ratelimit-bucket"],
    ),
    (
        "discord/discord-api-docs#5646, rejected",
        1668618050,
        (
            "x-ratelimit-limit: 5\n"
            "x-ratelimit-remaining: 0\n"
            "x-ratelimit-reset: 1668618055.755\n"
            "x-ratelimit-reset-after: 5.588"
        ),
        [(5, 0, Fraction("5.588"), None)],
        None,
        [],
    ),
    (
        "project-blurple/Canvas-Web#505",
        1778016456,
        (
            "x-ratelimit-limit: 1\n"
            "x-ratelimit-remaining: 0\n"
            "x-ratelimit-reset: 1778016457.012\n"
            "x-ratelimit-reset-after: 0.234"
        ),
        [(1, 0, Fraction("0.234"), None)],
        None,
        [],
    ),
    (
        "RocketChat/docs-old#1358",
        1562287935,
        "x-ratelimit-limit: 10\nx-ratelimit-remaining: 9\nx-ratelimit-reset: 1562287945706",
        [(10, 9, Fraction("10.706"), None)],
        None,
        [],
    ),
    (
        "fastify/fastify-rate-limit#301",
        0,
        "x-ratelimit-limit: 5\nx-ratelimit-remaining: 0\nx-ratelimit-reset: 58\nretry-after: 60000",
        [(5, 0, 58, None)],
        60,
        [],
    ),
    (
        "fastify/fastify-rate-limit, test/route-rate-limit.test.js",
        0,
        "x-ratelimit-limit: 2\nx-ratelimit-remaining: 0\nx-ratelimit-reset: 0\nretry-after: 1000",
        [(2, 0, 0, None)],
        1,
        [],
    ),
    (
        "openclaw/clawhub#407",
        1771404500,
        "x-ratelimit-limit: 20\nx-ratelimit-remaining: 18\nx-ratelimit-reset: 1771404540",
        [(20, 18, 40, None)],
        None,
        [],
    ),
    (
        "openclaw/clawhub#407, rejected",
        1771404500,
        (
            "x-ratelimit-limit: 20\n"
            "x-ratelimit-remaining: 0\n"
            "x-ratelimit-reset: 1771404540\n"
            "retry-after: 1771404540"
        ),
        [(20, 0, 40, None)],
        40,
        [],
    ),
    (
        "datagouv/hydra#44",
        0,
        (
            "date: Tue, 06 Dec 2022 18:28:47 GMT\n"
            "x-ratelimit-remaining: 2999\n"
            "x-ratelimit-limit: 3000\n"
            "x-ratelimit-reset: 2022-12-07 00:00:00+00:00"
        ),
        [(3000, 2999, 19873, None)],
        None,
        [],
    ),
    (
        "huggingface/huggingface_hub#3553",
        0,
        'ratelimit: "api";r=0;t=55\nratelimit-policy: "fixed window";"api";q=500;w=300',
        [(500, 0, 55, 300)],
        None,
        [],
    ),
    (
        "huggingface/huggingface_hub#3553, accepted",
        0,
        'ratelimit: "api";r=489;t=189\nratelimit-policy: "fixed window";"api";q=500;w=300',
        [(500, 489, 189, 300)],
        None,
        [],
    ),
    (
        "developer.prisjakt.nu, Rate Limits",
        0,
        "X-Rate-Limit-Limit: 10000\nX-Rate-Limit-Remaining: 0\nX-Rate-Limit-Reset: 600000",
        [(10000, 0, None, None)],
        None,
        ["X-Rate-Limit-Reset"],
    ),
    (
        "developer.lemlist.com, rate limits",
        1613462560,
        (
            "Retry-After: 2\n"
            "X-RateLimit-Limit: 20\n"
            "X-RateLimit-Remaining: 7\n"
            "X-RateLimit-Reset: Tue Feb 16 2021 09:02:42 GMT+0100 (Central European Standard Time)"
        ),
        [(20, 7, 2, None)],
        2,
        [],
    ),
    (
        "developer.unipile.com, rate limit",
        0,
        "x-ratelimit-limit: 50\nx-ratelimit-remaining: 12\nx-ratelimit-reset: 24",
        [(50, 12, 24, None)],
        None,
        [],
    ),
    (
        "api.aveslog.com, Rate Limiting",
        0,
        (
            "Date: Sat, 09 Nov 2019 06:52:49 GMT\n"
            "X-Rate-Limit-Limit: 100\n"
            "X-Rate-Limit-Remaining: 99\n"
            "X-Rate-Limit-Reset: 1"
        ),
        [(100, 99, 1, None)],
        None,
        [],
    ),
    (
        "Dev Home, extension for Azure, comment",
        0,
        (
            "Date: Mon, 06 Nov 2023 22:05:23 GMT\n"
            "X-Rate-Limit-Limit: 1m\n"
            "X-Rate-Limit-Remaining: 299\n"
            "X-Rate-Limit-Reset: 2023-11-06T22:06:23.7468234Z"
        ),
        [(None, 299, Fraction("60.7468234"), 60)],
        None,
        [],
    ),
    (
        "0x standard relayer API v3",
        0,
        (
            "Date: Mon, 20 Oct 2017 12:30:06 GMT\n"
            "X-RateLimit-Limit: 60\n"
            "X-RateLimit-Remaining: 56\n"
            "X-RateLimit-Reset: 1372700873"
        ),
        [(60, 56, 0, None)],
        None,
        [],
    ),
    (
        "X-Limit- of users and keys, public documentation",
        0,
        (
            "X-Limit-User-Limit: 100\n"
            "X-Limit-User-Remaining: 43\n"
            "X-Limit-User-Reset: 25\n"
            "X-Limit-Key-Limit: 5000\n"
            "X-Limit-Key-Remaining: 3520\n"
            "X-Limit-Key-Reset: 25"
        ),
        [(100, 43, 25, None), (5000, 3520, 25, None)],
        None,
        [],
    ),
    (
        "Rust client of DigitalOcean, comment",
        1415984200,
        "ratelimit-limit: 1200\nratelimit-remaining: 771\nratelimit-reset: 1415984218",
        [(1200, 771, 18, None)],
        None,
        [],
    ),
    (
        "brandur/redis-cell#48",
        0,
        "X-Ratelimit-Reset: 46\nRetry-After: 10",
        [(None, None, 46, None)],
        10,
        [],
    ),
    (
        "brandur/redis-cell#48, again",
        0,
        "X-Ratelimit-Reset: 36\nRetry-After: 0",
        [(None, None, 36, None)],
        0,
        [],
    ),
    (
        "documentation of an API with draft 10",
        0,
        (
            'RateLimit-Policy: "100-in-1min"; q=100; w=60; pk=:MGMzNGM3YmU2MTlj:\n'
            'RateLimit: "100-in-1min"; r=95; t=25'
        ),
        [(100, 95, 25, 60)],
        None,
        [],
    ),
    (
        "discord/discord-api-docs#1064",
        1470173020,
        "X-RateLimit-Limit: 10\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1470173023",
        [(10, 0, 3, None)],
        None,
        [],
    ),
    (
        "tradegecko/smaug#41",
        0,
        "X-Rate-Limit-Limit: 300\nX-Rate-Limit-Remaining: 100\nX-Rate-Limit-Reset: 150933900",
        [(300, 100, None, None)],
        None,
        ["X-Rate-Limit-Reset"],
    ),
    (
        "docs.statbot.net, RateLimitHeaders",
        0,
        "x-ratelimit-limit: 10\nx-ratelimit-remaining: 5\nx-ratelimit-reset: 60\nretry-after: 30",
        [(10, 5, 60, None)],
        30,
        [],
    ),
    (
        "HighLevel, FAQ (values of a client's notes)",
        0,
        (
            "X-RateLimit-Limit-Daily: 200000\n"
            "X-RateLimit-Daily-Remaining: 199990\n"
            "X-RateLimit-Max: 100\n"
            "X-RateLimit-Remaining: 99\n"
            "X-RateLimit-Interval-Milliseconds: 10000"
        ),
        [(100, 99, None, 10), (200000, 199990, None, 86400)],
        None,
        [],
    ),
    (
        "test of a client of GitHub",
        1699999940,
        "X-RateLimit-Limit: 5000\nX-RateLimit-Remaining: 4999\nX-RateLimit-Reset: 1700000000",
        [(5000, 4999, 60, None)],
        None,
        [],
    ),
    (
        "notes on X's API",
        1234567000,
        "x-rate-limit-limit: 300\nx-rate-limit-remaining: 299\nx-rate-limit-reset: 1234567890",
        [(300, 299, 890, None)],
        None,
        [],
    ),
    (
        "BigCommerce, best practices",
        0,
        (
            "X-Rate-Limit-Requests-Left: 6\n"
            "X-Rate-Limit-Requests-Quota: 25\n"
            "X-Rate-Limit-Time-Reset-Ms: 3000\n"
            "X-Rate-Limit-Time-Window-Ms: 5000"
        ),
        [(25, 6, 3, 5)],
        None,
        [],
    ),
    (
        "ahungry/org-jira#365",
        0,
        (
            "x-ratelimit-limit: 5\n"
            "x-ratelimit-remaining: 1\n"
            "x-ratelimit-fillrate: 5\n"
            "x-ratelimit-interval-seconds: 1"
        ),
        [(5, 1, None, 1)],
        None,
        [],
    ),
    (
        "Jira Data Center, recorded: a bucket that takes 14 s to fill",
        0,
        (
            "X-RateLimit-Limit: 70\n"
            "X-RateLimit-Remaining: 69\n"
            "X-RateLimit-FillRate: 5\n"
            "X-RateLimit-Interval-Seconds: 1\n"
            "Retry-After: 0"
        ),
        [(70, 69, None, 14)],
        0,
        [],
    ),
    (
        "Spring Cloud Gateway, RedisRateLimiter",
        0,
        (
            "X-RateLimit-Remaining: 0\n"
            "X-RateLimit-Requested-Tokens: 1\n"
            "X-RateLimit-Burst-Capacity: 20\n"
            "X-RateLimit-Replenish-Rate: 10"
        ),
        [(20, 0, None, 2)],
        None,
        ["X-RateLimit-Requested-Tokens"],
    ),
    (
        "The Odds API, recorded",
        0,
        "x-requests-remaining: 2872\nx-requests-used: 97128",
        [(100_000, 2872, None, None)],
        None,
        [],
    ),
    (
        "The Odds API, recorded: more used than allowed",
        0,
        "x-requests-remaining: -60\nx-requests-used: 5000060",
        [(None, 0, None, None)],
        None,
        [],
    ),
    (
        "Reddit",
        0,
        "x-ratelimit-used: 1\nx-ratelimit-remaining: 99.0\nx-ratelimit-reset: 299",
        [(100, 99, 299, None)],
        None,
        [],
    ),
    (
        "Freshdesk, recorded: what one request cost is no use of the window",
        0,
        "X-RateLimit-Total: 1000\nX-RateLimit-Remaining: 998\nX-RateLimit-Used-CurrentRequest: 2",
        [(1000, 998, None, None)],
        None,
        ["X-RateLimit-Used-CurrentRequest"],
    ),
    (
        "api.mainnet-beta.solana.com",
        0,
        (
            "x-ratelimit-method-limit: 40\n"
            "x-ratelimit-method-remaining: 39\n"
            "x-ratelimit-rps-limit: 100\n"
            "x-ratelimit-rps-remaining: 99\n"
            "x-ratelimit-tier: free"
        ),
        [(40, 39, None, None), (100, 99, None, 1)],
        None,
        ["x-ratelimit-tier"],
    ),
    (
        "target.my.com",
        0,
        (
            "X-RateLimit-RPS-Limit: 10\n"
            "X-RateLimit-RPS-Remaining: 7\n"
            "X-RateLimit-Hourly-Limit: 5000\n"
            "X-RateLimit-Hourly-Remaining: 4321"
        ),
        [(10, 7, None, 1), (5000, 4321, None, 3600)],
        None,
        [],
    ),
    (
        "KuCoin, whose reset is in milliseconds",
        0,
        "gw-ratelimit-limit: 4000\ngw-ratelimit-remaining: 3998\ngw-ratelimit-reset: 29860",
        [(4000, 3998, Fraction("29.86"), None)],
        None,
        [],
    ),
    (
        "bybit-exchange.github.io, Rate Limit Rules",
        1672738134,
        "X-Bapi-Limit: 100\nX-Bapi-Limit-Status: 99\nX-Bapi-Limit-Reset-Timestamp: 1672738134824",
        [(100, 99, Fraction("0.824"), None)],
        None,
        [],
    ),
    (
        "api.pathofexile.com, recorded: limit:period:penalty",
        0,
        (
            "X-Rate-Limit-Policy: trade-search-request-limit\n"
            "X-Rate-Limit-Rules: Ip\n"
            "X-Rate-Limit-Ip: 5:10:60,15:60:300,30:300:1800\n"
            "X-Rate-Limit-Ip-State: 1:10:0,1:60:0,30:300:0"
        ),
        [(5, 4, None, 10), (15, 14, None, 60), (30, 0, None, 300)],
        None,
        ["X-Rate-Limit-Policy", "X-Rate-Limit-Rules"],
    ),
    (
        "Xero",
        0,
        (
            "X-Rate-Limit-Problem: minute\n"
            "Retry-After: 17\n"
            "X-DayLimit-Remaining: 4800\n"
            "X-MinLimit-Remaining: 0\n"
            "X-AppMinLimit-Remaining: 9500"
        ),
        [(None, 4800, None, 86400), (None, 0, None, 60), (None, 9500, None, 60)],
        17,
        ["X-Rate-Limit-Problem"],
    ),
    (
        "Etsy",
        0,
        (
            "x-limit-per-second: 10\n"
            "x-remaining-this-second: 9\n"
            "x-limit-per-day: 10000\n"
            "x-remaining-today: 9997"
        ),
        [(10, 9, None, 1), (10000, 9997, None, 86400)],
        None,
        [],
    ),
    (
        "an API whose interval and reset are in milliseconds",
        1733419765,
        (
            "x-rate-limit-interval: 1000\n"
            "x-rate-limit-limit: 25\n"
            "x-rate-limit-remaining: 24\n"
            "x-rate-limit-reset: 1733419765156"
        ),
        [(25, 24, Fraction("0.156"), 1)],
        None,
        [],
    ),
    (
        "Phemex, Generic API Info",
        0,
        (
            "X-RateLimit-Remaining-CONTRACT: 498\n"
            "X-RateLimit-Capacity-CONTRACT: 500\n"
            "X-RateLimit-Retry-After-CONTRACT: 15"
        ),
        [(500, 498, None, None)],
        15,
        [],
    ),
    (
        "Amazon SP-API, usage plans: requests per second",
        0,
        "x-amzn-RateLimit-Limit: 0.0167",
        [(Fraction("0.0167"), None, None, 1)],
        None,
        [],
    ),
    (
        "Tumblr: a window with per before it",
        0,
        (
            "X-Ratelimit-Perday-Limit: 5000\n"
            "X-Ratelimit-Perday-Remaining: 0\n"
            "X-Ratelimit-Perday-Reset: 86400\n"
            "X-Ratelimit-Perhour-Limit: 1000\n"
            "X-Ratelimit-Perhour-Remaining: 412\n"
            "X-Ratelimit-Perhour-Reset: 1800"
        ),
        [(5000, 0, 86400, 86400), (1000, 412, 1800, 3600)],
        None,
        [],
    ),
    (
        "an older form of it, with what was used",
        0,
        (
            "X-ratelimit-perday-current: 17\n"
            "X-ratelimit-perday-limit: 1000\n"
            "X-ratelimit-permin-current: 3\n"
            "X-ratelimit-permin-limit: 10"
        ),
        [(1000, 983, None, 86400), (10, 7, None, 60)],
        None,
        [],
    ),
    (
        "Upbit, recorded",
        0,
        "remaining-req: group=candles; min=600; sec=9",
        [(None, 600, None, 60), (None, 9, None, 1)],
        None,
        [],
    ),
    (
        "Walmart Marketplace, rate limiting",
        1605135590,
        "x-current-token-count: 0\nx-next-replenishment-time: 1605135600000",
        [(None, 0, 10, None)],
        None,
        [],
    ),
    (
        "ip-api.com, unban",
        0,
        "X-Rl: 0\nX-Ttl: 45",
        [(None, 0, 45, None)],
        None,
        [],
    ),
    (
        "Qiita, recorded",
        0,
        ("Date: Fri, 19 Sep 2014 10:26:38 GMT\nRate-Limit: 300\nRate-Remaining: 289\nRate-Reset: 1411122764"),
        [(300, 289, 366, None)],
        None,
        [],
    ),
    (
        "X-Rate-Reset beside X-Rate-Limit-Limit, recorded",
        0,
        "X-Rate-Limit-Limit: 1000\nX-Rate-Limit-Remaining: 999\nX-Rate-Reset: 12203",
        [(1000, 999, 12203, None)],
        None,
        [],
    ),
    (
        "Codex, recorded: percent and minutes",
        0,
        (
            "x-codex-plan-type: plus\n"
            "x-codex-primary-used-percent: 42\n"
            "x-codex-primary-window-minutes: 300\n"
            "x-codex-primary-reset-after-seconds: 18000\n"
            "x-codex-secondary-used-percent: 104.5\n"
            "x-codex-secondary-window-minutes: 10080\n"
            "x-codex-secondary-reset-after-seconds: 486400"
        ),
        [(100, 58, 18000, 18000), (100, 0, 486400, 604800)],
        None,
        [],
    ),
    (
        "Claude, recorded: shares",
        1776645600,
        (
            "anthropic-ratelimit-unified-5h-utilization: 0.42\n"
            "anthropic-ratelimit-unified-5h-reset: 1776649200\n"
            "anthropic-ratelimit-unified-7d-utilization: 1.02\n"
            "anthropic-ratelimit-unified-7d-reset: 1777167600\n"
            "anthropic-ratelimit-unified-overage-status: rejected"
        ),
        [(100, 58, 3600, 18000), (100, 0, 522000, 604800)],
        None,
        ["anthropic-ratelimit-unified-overage-status"],
    ),
    (
        "Claude: a share is not in percent",
        0,
        "anthropic-ratelimit-unified-5h-utilization: 42\nanthropic-ratelimit-unified-5h-reset: 60",
        [(None, None, 60, 18000)],
        None,
        ["anthropic-ratelimit-unified-5h-utilization"],
    ),
    (
        "Copilot, recorded: a quota, and the percent left of it",
        0,
        (
            "Date: Tue, 31 Mar 2026 00:00:00 GMT\n"
            "x-quota-snapshot-premium_interactions: "
            "ent=1500&ov=0.0&ovPerm=false&rem=31.3&rst=2026-04-01T00%3A00%3A00Z\n"
            "x-usage-ratelimit-session: ent=50&rem=0&rst=2026-03-31T01:00:00Z\n"
            "x-usage-ratelimit-weekly: ent=200&rem=89.0"
        ),
        [(1500, Fraction("469.5"), 86400, None), (50, 0, 3600, None), (200, 178, None, None)],
        None,
        [],
    ),
    (
        "Copilot: no numbers that can be",
        0,
        "x-quota-snapshot-chat: ent=1500&rem=1e99/0",
        [],
        None,
        ["x-quota-snapshot-chat"],
    ),
    (
        "HTX",
        1600000000,
        "X-HB-RateLimit-Requests-Remain: 9\nX-HB-RateLimit-Requests-Expire: 1600000001000",
        [(None, 9, 1, None)],
        None,
        [],
    ),
    (
        "openai/openai-dotnet#838: no limit is known",
        0,
        ("x-ratelimit-limit-tokens: -1\nx-ratelimit-remaining-tokens: -1\nx-ratelimit-reset-tokens: 0"),
        [(None, None, 0, None)],
        None,
        ["x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens"],
    ),
    (
        "Dataverse: the time that remains is no time until a reset",
        0,
        (
            "x-ms-ratelimit-burst-remaining-xrm-requests: 5999\n"
            "x-ms-ratelimit-time-remaining-xrm-requests: 1,199.13"
        ),
        [],
        None,
        ["x-ms-ratelimit-burst-remaining-xrm-requests", "x-ms-ratelimit-time-remaining-xrm-requests"],
    ),
    (
        "ElevenLabs: requests at once",
        0,
        "current-concurrent-requests: 2\nmaximum-concurrent-requests: 5",
        [],
        None,
        ["current-concurrent-requests", "maximum-concurrent-requests"],
    ),
    (
        "Meta, recorded: minutes until access is regained",
        0,
        (
            'x-business-use-case-usage: {"66782684":[{"type":"ads_management","call_count":95,'
            '"estimated_time_to_regain_access":19},{"type":"pages","estimated_time_to_regain_access":5}]}'
        ),
        [],
        1140,
        [],
    ),
    (
        "Meta, recorded: access was not lost",
        0,
        (
            'x-business-use-case-usage: {"112130216863063":[{"type":"pages","call_count":1,'
            '"estimated_time_to_regain_access":0}]}'
        ),
        [],
        None,
        ["x-business-use-case-usage"],
    ),
    (
        "support.huaweicloud.com, Response Headers of APIG",
        0,
        (
            "X-Apig-RateLimit-api: remain:9,limit:10,time:10 second\n"
            "X-Apig-RateLimit-user: remain:0,limit:5,time:1 minute"
        ),
        [(10, 9, None, 10), (5, 0, None, 60)],
        None,
        [],
    ),
    (
        "docs.funkwhale.audio, Rate limiting",
        1700000000,
        (
            "X-RateLimit-Limit: 50\n"
            "X-RateLimit-Duration: 3600\n"
            "X-RateLimit-Scope: login\n"
            "X-RateLimit-Remaining: 42\n"
            "X-RateLimit-Reset: 1700003543\n"
            "X-RateLimit-ResetSeconds: 3543"
        ),
        [(50, 42, 3543, 3600)],
        None,
        ["X-RateLimit-Scope"],
    ),
    (
        "docs.bitvavo.com, Rate limits",
        1700000000,
        (
            "bitvavo-ratelimit-limit: 1000\n"
            "bitvavo-ratelimit-remaining: 998\n"
            "bitvavo-ratelimit-resetat: 1700000040000"
        ),
        [(1000, 998, 40, None)],
        None,
        [],
    ),
    (
        "developer.zerofriction.co, Rate limit",
        0,
        "x-remaining-calls-per-minute: 12\nx-retry-after-seconds: 17",
        [(None, 12, None, 60)],
        17,
        [],
    ),
    (
        "Pipedrive, rate limiting",
        0,
        (
            "x-ratelimit-limit: 100\n"
            "x-ratelimit-remaining: 98\n"
            "x-ratelimit-reset: 2\n"
            "x-daily-requests-left: 9800"
        ),
        [(100, 98, 2, None), (None, 9800, None, 86400)],
        None,
        [],
    ),
    (
        "cambialens/lens-api-doc#13: a reset in weeks is not that of a minute",
        0,
        (
            "Date: Tue, 17 Sep 2019 09:56:32 GMT\n"
            "x-rate-limit-reset-date: 2019-10-12T00:27:49.018Z\n"
            "x-rate-limit-remaining-request-per-minute: 9\n"
            "x-rate-limit-retry-after-seconds: 2125876"
        ),
        [(None, 9, None, 60), (None, None, Fraction("2125877.018"), None)],
        2125876,
        [],
    ),
    (
        "ynab/ynab-sdk-js#116: used of limit without a role",
        0,
        "X-Rate-Limit: 32/200",
        [(200, 168, None, None)],
        None,
        [],
    ),
    (
        "more used than the limit",
        0,
        "X-Rate-Limit: 100/60",
        [],
        None,
        ["X-Rate-Limit"],
    ),
    (
        "NewsData.io: what remains of a limit of the day, alone",
        0,
        (
            "X-RateLimit-Limit: 60\n"
            "X-RateLimit-Remaining: 59\n"
            "X-RateLimit-Reset: 900\n"
            "X-API-Limit-Remaining: 187"
        ),
        [(60, 59, 900, None), (None, 187, None, None)],
        None,
        [],
    ),
    (
        "spoonacular.com/food-api/docs, Quotas",
        0,
        "X-API-Quota-Request: 1.01\nX-API-Quota-Used: 5.03\nX-API-Quota-Left: 144.97",
        [(150, Fraction("144.97"), None, None)],
        None,
        ["X-API-Quota-Request"],
    ),
    (
        "docs.safe.global, Quotas & Limits",
        0,
        (
            "X-RateLimit-Limit: 50000\n"
            "X-RateLimit-Remaining: 9500\n"
            "X-Consumer-RPS: 5\n"
            "X-RateLimit-Plan: builder\n"
            "X-RateLimit-Warning: 81% of monthly quota used. Plans: https://safe.global/api#plans"
        ),
        [(50000, 9500, None, None)],
        None,
        ["X-Consumer-RPS", "X-RateLimit-Plan", "X-RateLimit-Warning"],
    ),
    (
        "documentation of an API, limits of two windows: the quota has no role",
        1717593640,
        (
            "X-RateLimit-Requests-Per-Minute: 60\n"
            "X-RateLimit-Requests-Per-Minute-Remaining: 42\n"
            "X-RateLimit-Requests-Per-Minute-Reset: 1717593660\n"
            "X-RateLimit-Requests-Per-Hour: 1000\n"
            "X-RateLimit-Requests-Per-Hour-Remaining: 873\n"
            "X-RateLimit-Requests-Per-Hour-Reset: 1717596000"
        ),
        [(60, 42, 20, 60), (1000, 873, 2360, 3600)],
        None,
        [],
    ),
    (
        "developer.affinity.co, Rate Limit Headers",
        0,
        (
            "X-Ratelimit-Limit-User: 900\n"
            "X-Ratelimit-Limit-User-Remaining: 899\n"
            "X-Ratelimit-Limit-User-Reset: 45\n"
            "X-Ratelimit-Limit-Org: 100000\n"
            "X-Ratelimit-Limit-Org-Remaining: 99000\n"
            "X-Ratelimit-Limit-Org-Reset: 72000"
        ),
        [(900, 899, 45, None), (100000, 99000, 72000, None)],
        None,
        [],
    ),
    (
        "a limit of a day for each IP address",
        1759950000,
        (
            "X-RateLimit-Limit-Day-IP: 1000\n"
            "X-RateLimit-Remaining-Day-IP: 999\n"
            "X-RateLimit-Reset-Day-IP: 1760000000"
        ),
        [(1000, 999, 50000, 86400)],
        None,
        [],
    ),
    (
        "planningcenter/developers#606: the count and the period of a rate",
        0,
        (
            "X-PCO-API-Request-Rate-Count: 102\n"
            "X-PCO-API-Request-Rate-Limit: 100\n"
            "X-PCO-API-Request-Rate-Period: 20 seconds\n"
            "Retry-After: -1"
        ),
        [(100, 0, None, 20)],
        None,
        ["Retry-After"],
    ),
    (
        "the seconds of the reset in a field of their own",
        1700000000,
        (
            "X-RateLimit-Limit: 60\n"
            "X-RateLimit-Remaining: 59\n"
            "X-RateLimit-Reset: 1700000042\n"
            "X-RateLimit-Reset-Ttl: 42"
        ),
        [(60, 59, 42, None)],
        None,
        [],
    ),
    (
        "cashfree.com, rate limits",
        0,
        ("x-ratelimit-limit: 200\nx-ratelimit-remaining: 0\nx-ratelimit-retry: 23\nx-ratelimit-type: app_id"),
        [(200, 0, None, None)],
        23,
        ["x-ratelimit-type"],
    ),
    (
        "getsentry/sentry-go, internal/ratelimit/rate_limits.go: waits of kinds of events",
        0,
        "X-Sentry-Rate-Limits: 60:transaction, 2700:default;error;security",
        [(None, 0, 60, None), (None, 0, 2700, None), (None, 0, 2700, None), (None, 0, 2700, None)],
        None,
        [],
    ),
    (
        "getsentry/sentry-go, TestParseXSentryRateLimits: the longest wait of each kind, and of all",
        0,
        "X-Sentry-Rate-Limits: 30:error:scope1, 20:error:scope2, 40::",
        [(None, 0, 30, None), (None, 0, 40, None)],
        None,
        [],
    ),
    (
        "getsentry/sentry-go, internal/ratelimit/rate_limits.go: a member without a number, other letters",
        0,
        "X-Sentry-Rate-Limits: x:error, 60: Error ; transaction, 30:error",
        [(None, 0, 60, None), (None, 0, 60, None)],
        None,
        [],
    ),
    (
        "getsentry/sentry-javascript, ratelimit.test.ts: a wait of all kinds",
        0,
        "x-sentry-rate-limits: 13",
        [(None, 0, 13, None)],
        None,
        [],
    ),
    (
        "getsentry/sentry-javascript, ratelimit.test.ts: no wait",
        0,
        "x-sentry-rate-limits: x",
        [],
        None,
        ["x-sentry-rate-limits"],
    ),
    (
        "getsentry/sentry-python, tests/test_transport.py",
        0,
        "X-Sentry-Rate-Limits: 4711:log_item:organization:quota_exceeded:custom",
        [(None, 0, 4711, None)],
        None,
        [],
    ),
    (
        "auth0/docs-v2, custom rate limit policies: the quota beside what remains",
        0,
        "Auth0-RateLimit: client;q=10;t=1;r=9",
        [(10, 9, 1, None)],
        None,
        [],
    ),
    (
        "quotas in RateLimit, one of which RateLimit-Policy states, too",
        0,
        'RateLimit: "a";r=1;q=5;w=60, "b";r=2;q=7\nRateLimit-Policy: "b";q=8;w=10',
        [(5, 1, None, 60), (8, 2, None, 10)],
        None,
        [],
    ),
    (
        "NangoHQ/integration-templates, Apollo: the halves of limits of a minute, an hour and a day",
        0,
        (
            "x-24-hour-requests-left: 589\n"
            "x-24-hour-usage: 11\n"
            "x-hourly-requests-left: 198\n"
            "x-hourly-usage: 2\n"
            "x-minute-requests-left: 48\n"
            "x-minute-usage: 2\n"
            "x-rate-limit-24-hour: 600\n"
            "x-rate-limit-hourly: 200\n"
            "x-rate-limit-minute: 50"
        ),
        [(600, 589, None, 86400), (200, 198, None, 3600), (50, 48, None, 60)],
        None,
        [],
    ),
    (
        "NangoHQ/integration-templates, Klaviyo: what remains of the policy of a day",
        0,
        (
            "ratelimit-limit: 1, 1;w=1, 2;w=60, 225;w=86400\n"
            "ratelimit-remaining: 0\n"
            "ratelimit-remaining-daily: 221\n"
            "ratelimit-reset: 0\n"
            "ratelimit-reset-daily: 69112"
        ),
        [(1, 0, 0, 1), (2, None, None, 60), (225, 221, 69112, 86400)],
        None,
        [],
    ),
    (
        "NangoHQ/integration-templates, Ashby: a reset in the year 2286",
        0,
        (
            "date: Thu, 28 May 2026 23:14:23 GMT\n"
            "x-ratelimit-limit: 1000\n"
            "x-ratelimit-remaining: 994\n"
            "x-ratelimit-reset: +10000000014"
        ),
        [(1000, 994, None, None)],
        None,
        ["x-ratelimit-reset"],
    ),
    (
        "NangoHQ/integration-templates, Pipedrive: the window is before the name of the family",
        0,
        (
            "x-ratelimit-limit: 80\n"
            "x-ratelimit-remaining: 79\n"
            "x-ratelimit-reset: 2\n"
            "x-daily-ratelimit-token-limit: 150000\n"
            "x-daily-ratelimit-token-remaining: 146932"
        ),
        [(80, 79, 2, None), (150000, 146932, None, 86400)],
        None,
        [],
    ),
    (
        "NangoHQ/integration-templates, Timetastic: another limit, of a second, in an older spelling",
        0,
        (
            "date: Tue, 21 Jul 2026 21:05:08 GMT\n"
            "x-ratelimit-limit: 200\n"
            "x-ratelimit-remaining: 176\n"
            "x-ratelimit-reset: 1784667931\n"
            "x-rate-limit-limit: 1s\n"
            "x-rate-limit-remaining: 1\n"
            "x-rate-limit-reset: 2026-07-21T21:05:09.0580628Z"
        ),
        [(200, 176, 23, None), (None, 1, Fraction("1.0580628"), 1)],
        None,
        [],
    ),
    (
        "facetoe/zenpy, recorded: one limit in two spellings",
        0,
        (
            "rate-limit: 700\n"
            "rate-limit-remaining: 550\n"
            "rate-limit-reset: 17\n"
            "x-rate-limit: 700\n"
            "x-rate-limit-remaining: 550\n"
            "zendesk-rate-limit-tickets-index: total=100; remaining=99; resets=17"
        ),
        [(700, 550, 17, None), (100, 99, 17, None)],
        None,
        [],
    ),
    (
        "traceloop/openllmetry, recorded from Azure: milliseconds in which the used part is refilled",
        0,
        (
            "x-ratelimit-limit-requests: 120\n"
            "x-ratelimit-limit-tokens: 120000\n"
            "x-ratelimit-remaining-requests: 119\n"
            "x-ratelimit-remaining-tokens: 119986\n"
            "x-ratelimit-renewalperiod-requests: 60\n"
            "x-ratelimit-renewalperiod-tokens: 60\n"
            "x-ratelimit-reset-requests: 500\n"
            "x-ratelimit-reset-tokens: 7"
        ),
        [(120, 119, Fraction(1, 2), 60), (120000, 119986, Fraction(7, 1000), 60)],
        None,
        [],
    ),
    (
        "a reset that may be seconds of the window stays in seconds",
        0,
        (
            "x-ratelimit-limit-requests: 2500\n"
            "x-ratelimit-remaining-requests: 2499\n"
            "x-ratelimit-renewalperiod-requests: 60\n"
            "x-ratelimit-reset-requests: 24"
        ),
        [(2500, 2499, 24, 60)],
        None,
        [],
    ),
]
# The same, for units that a response does not state.
UNITS = [
    (
        "the reset of a month",
        0,
        "x-ratelimit-limit-month: 300\nx-ratelimit-remaining-month: 290\nx-ratelimit-reset-month: 1419704",
        [(300, 290, 1419704, None)],
        None,
        [],
    ),
    (
        "milliseconds in a month",
        0,
        "x-ratelimit-limit-month: 300000\nx-ratelimit-reset-month: 864000000",
        [(300000, None, 864000, None)],
        None,
        [],
    ),
    (
        "a window in minutes, as a guide of an API says",
        1700000000,
        (
            "X-RateLimit-Limit: 100\n"
            "X-RateLimit-Remaining: 99\n"
            "X-RateLimit-Window: 15\n"
            "X-RateLimit-Reset: 1700000900"
        ),
        [(100, 99, 900, 900)],
        None,
        [],
    ),
    (
        "a window in no unit that its reset fits",
        1700000000,
        "X-RateLimit-Limit: 100\nX-RateLimit-Window: 1\nX-RateLimit-Reset: 1700000900",
        [(100, None, 900, None)],
        None,
        ["X-RateLimit-Window"],
    ),
    (
        "ms in a window of a minute",
        0,
        "X-RateLimit-Limit: 100\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 59873\nX-RateLimit-Window: 60",
        [(100, 0, Fraction("59.873"), 60)],
        None,
        [],
    ),
    (
        "ms in a named minute",
        0,
        "X-RateLimit-Limit-Minute: 100\nX-RateLimit-Remaining-Minute: 0\nX-RateLimit-Reset-Minute: 59873",
        [(100, 0, Fraction("59.873"), 60)],
        None,
        [],
    ),
    (
        "ms with policy",
        0,
        "X-RateLimit-Limit: 100, 100;w=60\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 59873",
        [(100, 0, Fraction("59.873"), 60)],
        None,
        [],
    ),
    (
        "neither",
        0,
        "X-RateLimit-Limit: 100, 100;w=60\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 900",
        [(100, 0, None, 60)],
        None,
        ["X-RateLimit-Reset"],
    ),
    (
        "Fastify, a window of a second in ms",
        0,
        "X-RateLimit-Limit: 2\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1\nRetry-After: 1000",
        [(2, 0, 1, None)],
        1,
        [],
    ),
    (
        "thousands of seconds",
        0,
        "X-RateLimit-Limit: 2\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 5\nRetry-After: 3000",
        [(2, 0, 5, None)],
        3000,
        [],
    ),
    (
        "long penalty",
        0,
        "X-RateLimit-Limit: 100\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 45\nRetry-After: 3600",
        [(100, 0, 45, None)],
        3600,
        [],
    ),
    (
        "openrouter",
        1764349990,
        "X-RateLimit-Limit: 20\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1764350000000",
        [(20, 0, 10, None)],
        None,
        [],
    ),
]


@pytest.mark.parametrize(
    ("now", "text", "limits", "retry_after_s", "ignored"),
    [pytest.param(*values, id=source) for source, *values in PUBLIC + UNITS],
)
def test_a_public_response_is_read_as_its_source_says(now, text, limits, retry_after_s, ignored):
    observed = observe([tuple(line.split(": ", 1)) for line in text.splitlines()], now=now)

    expected = [tuple(None if value is None else Fraction(value) for value in limit) for limit in limits]
    read = [(limit.quota, limit.remaining, limit.reset_s, limit.window_s) for limit in observed.limits]
    assert (sorted(map(str, expected)), retry_after_s) == (sorted(map(str, read)), observed.retry_after_s)
    assert ignored == [name for name, _ in observed.ignored]


# Responses to rejected requests, and the seconds that the client waits; without a count of what remains, the
# reset tells.
REJECTED = [
    (
        "openai/openai-python#937: the count and the reset are of different limits",
        0,
        "x-rate-limit-reset-tokens: 55\nx-ratelimit-remaining-requests: 15",
        55,
    ),
    (
        "Jira Cloud, rate limiting: the reset has no seconds",
        0,
        (
            "Date: Mon, 10 May 2021 10:58:30 GMT\n"
            "X-RateLimit-Reset: 2021-05-10T11:00Z\n"
            "X-RateLimit-NearLimit: true"
        ),
        90,
    ),
    (
        "Claude, a subscription at its limit",
        1776645600,
        "anthropic-ratelimit-unified-status: rejected\nanthropic-ratelimit-unified-reset: 1776649200",
        3600,
    ),
    (
        "Claude, rejected for another reason",
        1776645600,
        "anthropic-ratelimit-unified-status: allowed\nanthropic-ratelimit-unified-reset: 1776649200",
        60,
    ),
    ("GitHub Models", 0, "x-ratelimit-type: UserByModelByDay\nx-ratelimit-timeremaining: 300", 300),
    (
        "the shortest of several resets",
        0,
        "X-RateLimit-Reset-Requests: 300\nX-RateLimit-Reset-Tokens: 40\nX-RateLimit-Remaining-Images: 7",
        40,
    ),
    # So do urllib3 (InvalidHeader), openai-python, axios-retry, octokit.net and pydantic-ai in their tests.
    ("webex/webex-js-sdk, rate-limit.js: a wait below zero is none", 0, "Retry-After: -1", 60),
    ("vercel/ai: the same in milliseconds", 0, "retry-after-ms: -1000", 60),
    ("a reset that has passed", 1700000060, "X-RateLimit-Reset: 1700000000", 1),
    (
        "developer.okta.com: a limit of 0 for too many requests at once",
        1609894200,
        "x-rate-limit-limit: 0\nx-rate-limit-remaining: 0\nx-rate-limit-reset: 1609894212",
        12,
    ),
    (
        "documentation of an API: no time resets a limit of requests at once",
        1716213600,
        (
            "X-RateLimit-Concurrent-Limit: 3\n"
            "X-RateLimit-Concurrent-Remaining: 0\n"
            "X-RateLimit-Hourly-Limit: 20\n"
            "X-RateLimit-Hourly-Remaining: 14\n"
            "X-RateLimit-Reset: 1716217200"
        ),
        60,
    ),
    (
        "api-dashboard.search.brave.com: 0 for unlimited",
        0,
        (
            "X-RateLimit-Limit: 50, 0\n"
            "X-RateLimit-Policy: 50;w=1, 0;w=2592000\n"
            "X-RateLimit-Remaining: 49, 0\n"
            "X-RateLimit-Reset: 1, 1419704"
        ),
        1419704,
    ),
]


@pytest.mark.parametrize(
    ("now", "text", "wait_s"), [pytest.param(*values, id=source) for source, *values in REJECTED]
)
def test_a_rejected_client_waits_for_the_reset_if_the_response_has_no_count(now, text, wait_s):
    headers = [tuple(line.split(": ", 1)) for line in text.splitlines()]

    assert wait_s == observe(headers, now=now, status=429).wait_s
    assert 0 == observe(headers, now=now, status=200).wait_s or "rejected" in text


def test_a_share_of_a_quota_counts_no_requests():
    headers = {"x-codex-primary-used-percent": "42", "x-codex-primary-reset-at": "60"}

    assert ["percent"] == [limit.unit for limit in observe(headers, now=0).limits]


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        # linear.app/developers, docs.together.ai, docs.openalex.org and a service of credits
        ("X-RateLimit-Complexity-Remaining", "complexity"),
        ("x-tokenlimit-remaining", "tokens"),
        ("x-ratelimit-remaining-usd", "usd"),
        # Recorded from Trello and Pipedrive
        ("x-rate-limit-db-query-time-remaining", "query-time"),
        ("x-rate-limit-api-token-remaining", "requests"),
        ("x-daily-ratelimit-token-remaining", "tokens"),
        ("x-quota-credits-remaining", "credits"),
        ("x-ratelimit-remaining-cents", "cents"),
        ("x-sentry-rate-limit-concurrentremaining", "requests at once"),
        ("x-ratelimit-remaining-requests", "requests"),
    ],
)
def test_what_a_limit_counts_is_in_its_name(name, unit):
    observed = observe({name: "7", name.replace("remaining", "limit"): "9"}, now=0)

    assert [unit] == [limit.unit for limit in observed.limits]


@pytest.mark.parametrize(
    ("policy", "unit"),
    [
        # docs.helicone.ai, "Custom rate limits": the unit is a request or a cent
        ("500;w=3600;u=cents;s=user", "cents"),
        ("500;w=3600;u=request;s=user", "requests"),
        ("500;w=3600", "requests"),
        ('500;w=3600;comment="a;u=cents"', "requests"),
        ('500;w=3600;qu="content-bytes"', "content-bytes"),  # draft-10, "Quota Unit Parameter"
    ],
)
def test_what_a_limit_counts_is_in_its_policy(policy, unit):
    counts = {"Helicone-RateLimit-Limit": "500", "Helicone-RateLimit-Remaining": "499"}

    for fields in ({}, counts):
        observed = observe(fields | {"Helicone-RateLimit-Policy": policy}, now=0)
        (limit,) = observed.limits
        assert (Fraction(500), Fraction(3600), unit) == (limit.quota, limit.window_s, limit.unit)
    tokens = {"x-ratelimit-limit-tokens": "500", "x-ratelimit-policy-tokens": policy}
    assert ["tokens" if unit == "requests" else unit] == [each.unit for each in observe(tokens, now=0).limits]


def test_the_sum_of_used_and_remaining_is_assumed_to_be_the_quota():
    # "Used" may also be what one request cost.
    observed = observe({"X-Credits-Used": "1", "X-Credits-Remaining": "49"}, now=0)

    assert (("X-Credits-Used", "it is added to what remains, which gives the quota"),) == observed.assumed

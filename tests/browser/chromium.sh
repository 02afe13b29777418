#!/bin/sh
# Chromium without two pages of its own, which every new window loads for the suggestions below its address bar: they
# cost more than most pages under test. And with sandboxed frames in the process of their page: in one of their own, a
# click right after the page was scrolled is delivered to the frame that was at that place before. Only one list of
# features is heeded, so they join the one that Playwright gives.
for argument; do
  shift
  case $argument in --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup,IsolateSandboxedIframes ;; esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"

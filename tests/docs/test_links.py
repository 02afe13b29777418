"""The checker of links finds every kind of bad link, and none in the project."""

from __future__ import annotations

import json

import pytest

from scripts.links import LISTED, faults_of_pages, faults_of_texts, main, pages_of, texts

HEAD = "<!doctype html><title>Page</title>"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "other.html").write_text(f'{HEAD}<h2 id="here">Here</h2><a name="old"></a>')
    (tmp_path / "picture.png").write_bytes(b"")
    return tmp_path


def faults(folder, html):
    (folder / "index.html").write_text(f"{HEAD}\n{html}")
    return [fault.partition("index.html:2: ")[2] for fault in faults_of_pages(folder, pages_of(folder))]


@pytest.mark.parametrize(
    "good",
    [
        '<a href="deep/other.html#here">',
        '<a href="deep/other.html#old">',
        '<p id="p"><a href="#p">',
        '<img src="picture.png?v=1">',
        '<img src="data:image/png;base64,AAAA">',
        '<a href="https://www.example.com/a?b#c">',
        '<a href="http://127.0.0.1:8000/">',
        '<a href="mailto:grace@example.com">',
        '<style>a { background: url("picture.png") }</style>',
    ],
)
def test_a_good_link_is_passed_over(folder, good):
    assert [] == faults(folder, good)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ('<a href="deep/gone.html">', "deep/gone.html: there is no such file"),
        ('<a href="../outside.html">', "../outside.html: there is no such file"),
        ('<a href="deep/other.html#gone">', "deep/other.html#gone: the page has no such place"),
        ('<a href="#gone">', "#gone: the page has no such place"),
        ('<img src="gone.png">', "gone.png: there is no such file"),
        ('<script src="gone.js"></script>', "gone.js: there is no such file"),
        (
            '<a href="http://www.example.com/">',
            "http://www.example.com/: a link to elsewhere is https and names a host",
        ),
        ('<a href="https://">', "https://: a link to elsewhere is https and names a host"),
        (
            '<a href="https://exa mple.com/">',
            "https://exa mple.com/: a link to elsewhere is https and names a host",
        ),
        (
            '<script src="https://cdn.example.com/x.js"></script>',
            "https://cdn.example.com/x.js: a page may load nothing from elsewhere",
        ),
        (
            '<link href="//cdn.example.com/x.css">',
            "//cdn.example.com/x.css: a page may load nothing from elsewhere",
        ),
        (
            "<style>@font-face { src: url(https://fonts.example.com/x.woff2) }</style>",
            "https://fonts.example.com/x.woff2: a page may load nothing from elsewhere",
        ),
        ('<p style="background: url(gone.png)">', "gone.png: there is no such file"),
        ('<img srcset="picture.png 1x, gone.png 2x">', "gone.png: there is no such file"),
    ],
)
def test_a_bad_link_is_found(folder, bad, why):
    assert [why] == faults(folder, bad)


def test_a_style_sheet_that_loads_something_from_elsewhere_is_found(folder):
    (folder / "page.css").write_text("\n@import 'https://cdn.example.com/x.css';")

    assert [
        f"{folder / 'page.css'}:2: https://cdn.example.com/x.css: a page may load nothing from elsewhere"
    ] == list(faults_of_pages(folder, {}))


def test_links_of_markdown_lead_to_files_and_headings(tmp_path):
    (tmp_path / "other.md").write_text("# One & two\n\n## `code`, again\n\n## `code`, again\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md) [b](other.md#one--two) [c](other.md#code-again-1) [d](#e)\n\n# E\n\n"
        "[f](gone.md) [g](other.md#gone) ![h](gone.png) `[i](gone.md)`\n"
    )

    assert [
        f"{page}:5: gone.md: there is no such file",
        f"{page}:5: other.md#gone: the file has no such heading",
        f"{page}:5: gone.png: there is no such file",
    ] == list(faults_of_texts([page]))


def test_links_of_a_notebook_are_those_of_its_text(tmp_path):
    notebook = tmp_path / "a.ipynb"
    cells = [
        {"cell_type": "code", "source": ["'[no](gone.md)'"]},
        {"cell_type": "markdown", "source": ["# Title\n", "[a](#title) [b](gone.ipynb)"]},
    ]
    notebook.write_text(json.dumps({"cells": cells}))

    assert [f"{notebook}:2: gone.ipynb: there is no such file"] == list(faults_of_texts([notebook]))


def test_a_heading_is_named_by_its_words_alone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("## See [the *other* page](page.md)\n\n[a](#see-the-other-page)\n")

    assert [] == list(faults_of_texts([page]))


def test_the_texts_and_the_notebooks_have_no_bad_link_and_addresses_elsewhere_are_listed(folder, capsys):
    (folder / "index.html").write_text(
        f'{HEAD}<a href="https://b.example.com"><a href="https://a.example.com">'
    )
    listing = folder / "new" / "list.txt"

    assert 0 == main([str(folder), "--list", str(listing)]), capsys.readouterr().err
    assert len(texts()) > 30
    assert "addresses elsewhere, not fetched" in capsys.readouterr().out
    listed = listing.read_text().splitlines()
    assert listed == sorted(listed)
    assert {"https://a.example.com", "https://b.example.com"} <= set(listed)


def test_the_pages_were_checked_when_they_were_built(site):
    assert "https://github.com/pradyunsg/furo" in LISTED.read_text().splitlines()  # at the foot of each page


def test_a_planted_bad_link_fails_the_run(folder, capsys):
    (folder / "index.html").write_text(f'{HEAD}<a href="gone.html">')

    assert 1 == main([str(folder), "--list", str(folder / "list.txt")])
    assert "gone.html: there is no such file" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "status"), [(["--help"], 0), (["nowhere"], 2), (["--gone"], 2)])
def test_a_run_that_checks_nothing_says_so_and_writes_nothing(
    tmp_path, monkeypatch, capsys, arguments, status
):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert status == left.value.code
    said = capsys.readouterr()
    assert "usage: links.py" in said.out + said.err
    assert [] == list(tmp_path.iterdir())

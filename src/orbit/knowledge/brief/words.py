"""The words by which paragraphs and headings of a README are told apart. Data only.

Contract: knowledge.md, Brief: "the first paragraph that says what the thing is". General words, no project's name.
Phrases are lower case, words joined by one blank; the lists of openings are compared with the start of a sentence.
"""

from __future__ import annotations


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(
        f"{phrase.strip()} " for line in text.strip().splitlines() for phrase in line.split(",") if phrase.strip()
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Abbreviations whose full stop never ends a sentence, and those that may if a capital follows.
NEVER_END = _words("""
    dr mr mrs ms prof st rev gen sen rep vs cf eg ie e.g i.e viz fig figs eq no nos vol pp ed eds
""")
MAY_END = _words("""
    etc inc ltd co corp jr sr al u.s u.k a.m p.m approx ca esp incl resp max min ver dept est misc orig
""")

# «This library is …», «The package provides …»
THINGS = _words("""
    action addon add-on api app application archive article binding bindings book bot bundle chart checklist cli
    client code codebase collection command compiler component config configuration container course crate
    curriculum dashboard dataset directory distribution driver editor engine example examples extension folder font
    fork framework gem generator guide helper image implementation interface kit language library lib linter list
    model module monorepo operator organization package pack packages parser platform playbook plugin plug-in primer
    product program programme project prototype provider repo repository resource role sample script scripts sdk
    server service set site skeleton software solution starter styleguide suite system template theme tool tools
    toolbox toolchain toolkit tutorial utility utilities version website workshop wrapper
""")
SAYS = _words("""
    is are provide provides contain contains implement implements offers allows allow lets enables helps makes
    brings gives aims adds supports generates extends bundles includes holds hosts collects turns does defines
    demonstrates shows installs manages exposes exports runs reads parses converts sends uses wraps automates can
    will handles checks creates builds combines integrates serves simplifies features facilitates returns exists
    acts works teaches tests transforms takes houses tracks adapts intends tries
""")
# After «is»: a noun follows; rather not what the thing is; verbs that say what happens rather than what it is.
COMPLEMENTS = _words("""
    a an the our my your another one some designed intended meant yet
""")
PREDICATES = _words("""
    at on in not no now available used located hosted what how where why work under only still very all maintained
    licensed optional required useful needed ready tested developed written distributed compatible nowadays
""")
MODALS = _words("""
    are can will does uses works
""")
# What a short tagline needs to be more than a slogan; how a sentence ends that a list completes.
RELATIONS = _words("""
    for of from with using between
""")
UNFINISHED = _phrases("a, an, the, to, for, of, with, can, you, are, is, and, or, be")
ADVERBS = _words("also simply just basically currently mainly primarily essentially only really actually")

# A first sentence that opens so tells the reader what to do or where to look, not what the thing is.
DIRECTS = _phrases("""
    please, see, visit, check out, check the, check it, click here, click on, click the, go to, head over, head to
    refer, consult, read the, read our, read more, read about, read this, read on, read it, read full, read in
    installation, you can, you may, you might, you must, you should, you could, you need, you want, you have
    you are, you're, you will, you'll, for more, for full, for further, for additional, for complete, for detailed
    for details, for documentation, for installation, for install, for information, for usage, for help
    for question, for questions, for support, for example, for examples, for instructions, for other, for older
    for a more, for a full, for a complete, for a list, for a quick, for a detailed, for a guide, for a summary
    for a description, for a tutorial, for an overview, for an introduction, for an example, for the latest
    for the full, for the documentation, for the complete, for the current, for the old, for the most
    for the impatient, for the source, for updates, for contributing, for those, for issues, for bug, for discussion
    for feedback, for general, for a general, for api, for instance, for simplicity, for convenience, to install
    to build, to use, to run, to get, to start, to compile, to learn, to see, to contribute, to create, to test
    to setup, to set up, to upgrade, to update, to enable, to download, to view, to find, to try, to report, to make
    to do, to begin, to generate, to deploy, to add, to know, to read, to understand, to configure, to clone
    to develop, to check, to help, to access, learn more, learn about, more info, more information, more details
    more documentation, more about, more on, if you, if you're, if you'd, if you've, if your, if this, if a
    if there, if not, getting started, get started, get help, get involved, get it, try it, try the, try out
    try this, use this, use the following, use it, use pip, use npm, run the following, run this, run npm, run pip
    start by, start with, start here, start the, located at, located in, built with, built on, written by, made with
    made by, created by, maintained by, developed by, brought to you, powered by, ported from, ported by, requires
    compatible with, tested with, tested on, tested against, tested and, works with, works on, works in
    supports python, supports node, supports php, supports ruby, available at, available on, available from
    available under, available as, available for, available in, feel free, contribution, contributions
    pull requests, bug reports, questions, feedback, issues, a screencast, a demo, a video, a live
    a list of changes, a changelog, a full list, an online, a live demo, an interactive, screenshots, screenshot
    live demo, current, currently, as of, since version, starting with, starting from, with version, in version
    from version, in this screenshot, in this example, in this readme, in this document, in this section
    in this picture, in this image, in the following, in the example, in the image, in the first, the following
    here's, here is, here are, here you, below, above, these are the docs, these are some, these docs
    these instructions, these examples, some of, some useful, some examples, this document, this readme
    this readme.md, this page, this guide, this file, this section, this branch, this documentation, this table
    this figure, this screenshot, this picture, this diagram, this gif, the document, the readme, the page, the file
    the section, the table, the figure, the screenshot, the picture, the diagram, the documentation, the docs
    the source, the sources, the source code, the code is, the code in, the wiki, the manual
    the official documentation, the full documentation, the latest documentation, the complete documentation
    the main documentation, the api documentation, the latest version, the current version, the latest release
    the current release, the latest stable, the recommended way, the website, the web site, the homepage
    the home page, the project page, the project website, the changelog, documentation is, documentation can
    documentation for, documentation of, documentation at, documentation on, documentation in, docs are, docs can
    full documentation, complete documentation, online documentation, official documentation, api documentation
    latest documentation, detailed documentation, do you, don't, make sure, be sure, want to, need help, need more
    need to, have a question, have questions, have any, looking for, looking to, firstly, note, keep in mind
    remember, assuming, by default, however, our default branch, the default branch, the main branch, the master branch
    the develop branch, view these, also, additionally, furthermore, finally, other, otherwise, in addition
    besides, thanks, thank you, credits, inspired by, kudos, all contributions, all code, all credits, why
    just type, just run, just add, just download, just copy, add the following, add this, add it, include the
    include this, simply run, simply type, simply add, simply install, simply copy, open an issue, open a, hosted
    proudly, announcing, in other languages, in other words, translations, table of contents, contents, back to
    jump to, pronounced, help us, help translate, help wanted, help improve, go here, go read, the easiest way
    the easiest method, the best way, the simplest way, the quickest way, the fastest way, we recommend, we suggest
    we strongly, we welcome, we encourage, we use, we need, we also, we try, we maintain, we currently, i recommend
    i suggest, i use, i have, i need, there is also, there are also, there is more, there are several, there are two
    there are three, there are many ways, there is a wiki, there is a mailing, there is an example
    there are some examples, let's, now you, now let's, that's it, that is, due to, on linux, on macos, on windows
    on debian, on ubuntu, key features, main features, support for python, python 3, node.js version, prerequisites
    all notable, release notes, last updated, updated, work in progress, under construction, coming soon
    download the, download it, download from, download a, download and, watch the, watch this, send us, send me
    copy the, copy this, import the, clone the, clone this, edit the, follow the, follow these, follow us, follow me
    join the, join us, join our, join in, contact us, report bugs, report issues, report any, submit issues
    submit a, submit bugs, install the, install it, install via, install with, install from, install using
    install this, installing the, installing from, run make, get the latest, get the source, subscribe to
    before you, before using, before installing, before running, after installing, after installation, after that
    once you, once installed, once the, supported platforms, supported versions, supported by, usage is
    minimum version
""")

# The openings that end a brief even as a later sentence.
POINTS = _phrases("""
    please, see, visit, check out, read more, read the, read about, click, go to, head over, refer, consult
    learn more, more info, more information, more details, more about, for more, for full, for further, for details
    for documentation, for information, for usage, for help, for installation, for complete, for a full
    for a complete, for a list, for the full, the documentation, the full documentation, the official documentation
    full documentation, documentation is, documentation can, docs are, note, to install, to get started, get started
    download, installation, inspired by, based on the work, thanks, thank you, credits, if you have, feel free
    have a look, take a look, try it, watch, follow, join, star, current, currently, this repository, here is
    here are, you can find, you can read, you can download, you can install
""")

# In the first sentence: offered, asked for, moved or given up rather than described.
ANNOUNCES = _phrases("""
    is now available, are now available, is finally available, is out, is now out, is now released, is released
    has been released, was released, has just been released, have been released, is live, is here, is now open
    is in beta, is now stable, has moved, have moved, has been moved, was moved, has migrated, has been migrated
    has been renamed, was renamed, has been deprecated, has been archived, has been superseded, has been replaced
    has joined, has a new, have a new home, is no longer, are no longer, is not actively, is not maintained
    not being maintained, is deprecated, are deprecated, is unmaintained, is archived, is obsolete, is superseded
    is in maintenance, is hiring, are hiring, for hire, out now, we're hiring, we're excited, we are excited
    we're pleased, we are pleased, we're happy, we are happy, we're proud, we are proud, we're thrilled
    we are thrilled, we are glad, we're looking for, we are looking for, we are currently, we're currently
    we are moving, we are working, we're working, looking for maintainers, looking for a maintainer
    looking for contributors, looking for a new maintainer, looking for new maintainers, looking for help
    looking for volunteers, seeking maintainers, maintainers wanted, help wanted, check out the, check out our
    check out my, join us, join our, under active development, under heavy development, under construction
    under development, work in progress, work-in-progress, star this, star us, give it a star, give us a star
    leave a star, vote for, follow us, follow me, take our survey, take the survey, fill out, sign up, pre-alpha
    end of life, end-of-life, reaches eol, security fixes, breaking changes, is a breaking, very likely you meant
    can be found, can be downloaded, can be installed, can be obtained, is available at, is available on
    is available from, is available under, is hosted, is licensed, are licensed, is released under
    is distributed under, is tested, has been tested, we are building, is now part of, not affiliated
    not an official, not officially, not endorsed, was nominated, has won, won the, was awarded
    will enter maintenance, maintenance mode, end-of-support, will reach end, is expected to, are expected to
    is free software you can, distributed in the hope, comes in several, are welcome, is welcome, was written by
    is maintained by, is copyright, is developed by, is sponsored
""")
# Thanks and requests for money; a project may itself be about money, hardly about thanks.
SPONSORS = _phrases("""
    sponsor, sponsors, sponsored, sponsoring, sponsorship, donate, donated, donation, donations, donating, patreon
    open collective, opencollective, paypal, raising funds, funded by, merch, t-shirts, fundraiser, fundraising
""")
THANKS = _phrases("""
    backers, backer, buy me a coffee, buy me a beer, ko-fi, kofi, support us, support me, support my, support our
    support this project, support the project, made possible by, made possible thanks, made possible entirely
    made possible with, special thanks, many thanks, big thanks, huge thanks, supported by our
    supported by the community, supported by these, supported by a, generously supported, proudly supported
    financially supported, is supported by the, show your love, tidelift, black lives matter, stand with ukraine
    support ukraine, help ukraine, sponsored by
""")
NAMING = _phrases("""
    derives from the, is derived from the, comes from the, name comes, came from the, stands for, is an abbreviation
    is an acronym, is a pun, is a play on, noun, etymology, is a recursive, is a portmanteau, is pronounced
    is named after, was named after, is short for, is a word
""")
NAMES = _phrases("formerly, previously, the name, named after, pronounced, what does the name")
STORIES = _phrases("""
    i'm, i, i've, and, but, so, or, then, yet, we wrote, we built, we started, we created, we made, we needed
    we wanted, we developed, have you, did you, do you, are you, were you, ever, tired of, imagine, once upon
    congratulations, we have, our mailing list, our documentation, our website, we are re, thank, thanks, originally
    back in, long ago, this is a fork, this fork, this is work, this is an early, this is not, it is not, it's not
    this was, it was, this one
""")
# Sentences that set the scene before the thing is named.
SCENES = _phrases("""
    there is, there are, there exist, there exists, in today's, in the world, in recent, in modern, in many, in most
    in our, by now, more than, our goal is, our mission is, our vision is, in order, in computer, in software
    in some, in a, in an, many, most, some, when, whenever, while, although, though, as you, as we, as the, as a
    because, since, modern, sometimes, often, everyone, everybody, every, it's often, it is often, it's hard
    it is hard, it's easy, it is easy, it is difficult, it's common, it is common, it's not, it is not, it's very
    it is well, it's important, it is important, it is possible, it is recommended, traditionally, over the years
    over the past, nowadays, today, one of, given, recent, recently, with the rise, with the advent, with the growth
    like, welcome to the, welcome to our
""")

# «Documentation: …», «Source code → …»
LABELS = _phrases("""
    documentation, docs, doc, website, web site, web page, webpage, homepage, home page, home, site, source, sources
    source code, code, repository, repo, github, gitlab, pypi, npm, demo, demos, download, downloads, license
    licence, licensing, author, authors, copyright, version, versions, status, build status, changelog, change log
    changes, release notes, release, releases, issues, issue tracker, bug tracker, bug reports, bugs, tracker
    mailing list, mailing lists, irc, chat, discord, slack, gitter, telegram, twitter, forum, forums, discussion
    discussions, blog, wiki, maintainer, maintainers, contact, contributors, contributing, requirements
    prerequisites, dependencies, keywords, tags, email, e-mail, faq, support, help, tutorial, tutorials, examples
    example, reference, api reference, manual, guide, user guide, url, web, link, links, translation, translations
    language, languages, other languages, spdx-license-identifier, doi, citation, paper, video, slides
    table of contents, contents, toc, usage, install, installation, stable, development, platform, platforms
    compatibility, date, package, feed, credits, built with, powered by, read more, see also, see, follow us
    quick start, quickstart, getting started, official website, official site, live demo, online demo, project page
    official documentation, full documentation, latest documentation, api documentation, api docs, main website
    source repository, project website, github repository, travis ci, continuous integration, ci, pypi page, cite as
    cite, canonical repository, supported versions, python versions, read this in other languages
    available translations, available languages
    supported platforms, tested on, tested with, pre-release feed, nuget, maven, for support, security contact, news
    bug reports and feature requests
""")
NOTICES = _phrases("""
    note, nb, n.b, important, warning, caution, attention, tip, notice, disclaimer, deprecated, deprecation
    deprecation notice, update, updates, updated, news, new, announcement, announcements, heads up, heads-up, psa
    breaking, breaking change, breaking changes, edit, reminder, alert, info, todo, wip, maintenance
    maintenance mode, status, project status, security, danger, hint, ps, p.s, important note, important notes
    please note, latest news, what's new, archived, moved, migration, hiring, beta, alpha, important notice
    important update, security notice, read me first, prerelease, experimental
""")
CJK_BESIDE = (
    "请", "請", "如果", "欢迎", "文档", "官网", "本项目已", "点击", "下载", "安装", "使用方法", "交流群",
    "目前", "赞助", "捐赠", "参考", "詳細は", "詳しくは",
)  # fmt: skip
LEGAL = _phrases("""
    copying and distribution, this file is part of, this file is free software, this file is distributed
    this file is copyright, copyright, spdx-license-identifier, licensed under, released under, distributed under
    all rights reserved, permission is hereby, redistribution and use, this program is free software
    this software is free software, this is free software, this library is free software, mit license, mit licence
    the mit license, see license, see licence, see the license, see copying, apache license, bsd license, gpl
    this software is provided, this project is licensed, this software is licensed, this library is licensed
    this package is licensed, this project is released, this project is covered, this code is licensed
    this work is licensed, this project is under
""")
LANGUAGES = frozenset(
    phrase.strip()
    for phrase in _phrases("""
        english, chinese, japanese, korean, russian, spanish, german, french, portuguese, italian, turkish,
        polish, ukrainian, deutsch, español, français, português, italiano, türkçe, русский, українська, 中文,
        简体中文, 繁體中文, 繁体中文, 正體中文, 日本語, 한국어, 中文版, 中文文档, 中文说明, en, zh, ja, ko,
        العربية, فارسی, हिन्दी, বাংলা, tiếng việt, bahasa indonesia, polski, nederlands, svenska, čeština, ไทย,
        vietnamese, arabic, zh-cn, english version, 简体, 繁體, simplified chinese, traditional chinese,
        english readme, 日本語版, 한국어 문서
    """)
)
LEADS = _phrases("""
    following, features, below, main, these, such as, include, includes, supported, examples, example, goals, steps
    options, ways, several, e.g
""")
EMPTY = _words("""
    this is the a an of for repo repository project home official source code git github readme page website web
    site main development public welcome to and contains holds here it it's library package by where lives
    documentation in our my
""")

# Headings.
ABOUT = _words("""
    about intro introduction overview description summary synopsis abstract background general purpose tl;dr tldr
    welcome readme motivation name what nutshell introducing
""")
ASIDE = _words("""
    install installation installing setup set-up quickstart quick-start download downloads downloading sponsor
    sponsors sponsorship backers donate donation donations funding license licence licensing copyright contribute
    contributing contribution contributions contributors changelog changes release releases news update updates
    announcement announcements roadmap todo acknowledgements acknowledgments acknowledgement credits thanks author
    authors maintainer maintainers translation translations screenshot screenshots upgrade upgrading migration
    migrating migrate deprecation deprecated maintenance end-of-support end-of-life upcoming conduct enterprise
    prerequisites citation citing cite community contact contacts links resources help question questions faq faqs
    issue issues bug bugs support security documentation docs usage use using build building compile compiling
    compilation requirements dependencies packages version versions compatibility test testing tests run running
    develop development developing deploy deployment deploying configuration configure config options api reference
    example examples command commands tutorial tutorials note notes notice notices warning warnings important
    disclaimer limitations status platform platforms alternatives references users showcase contents toc index demo
    demos benchmark benchmarks performance publications publication team history trademarks legal privacy feedback
    layout structure started start new related also released available getting
""")
ABOUT_WORDS = ABOUT | _words("is are s this does do the a an it and to of what's why")
VERBS = _words("run use build develop compile start contribute test set-up setup help support deploy")
CJK_ABOUT = (
    "简介", "介绍", "概要", "概述", "关于", "什么是", "說明", "说明", "はじめに", "について", "とは", "소개",
    "введение", "описание", "о проекте", "descripción", "introducción", "sobre", "descrição", "über",
    "beschreibung", "présentation",
)  # fmt: skip
CJK_ASIDE = (
    "安装", "使用", "快速", "开始", "目录", "更新", "日志", "贡献", "许可", "捐赠", "赞助", "文档", "交流",
    "联系", "下载", "版本", "致谢", "目次", "インストール", "使い方", "ライセンス", "貢献", "설치", "사용법",
    "라이선스", "установка", "использование", "лицензия", "instalación", "instalação", "licencia", "licença",
    "lizenz",
)  # fmt: skip
# Words in the alternative text of a picture that make it no title.
PICTURE = _words(
    "logo banner screenshot image demo header icon build status badge preview alt img gif cover architecture diagram"
)

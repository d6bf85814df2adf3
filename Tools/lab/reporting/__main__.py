"""Measures the engine and writes the pages with the results.

    Tools/report speed                times everything on this machine, a quarter of an hour at most, and writes the pages
    Tools/report streams              finds how many live streams all cores hold, half an hour at most, and writes the page
    Tools/report recognition CLIPS    recognises recorded clips, a minute, and writes the pages; with --real DIR those with truth, too
    Tools/report pointer DIR...       measures pointers in recordings with labelled pinches, a minute, and writes its parts of the page
    Tools/report render               writes the pages of the kept results
    Tools/report check                fails where a page is not what its results say, or a link leads nowhere

Results are stored in Tools/lab/reporting/results, speed by the machine's kernel tier: a run on one kind of machine leaves the results of other kinds
unchanged.
"""

import argparse
import pathlib
import sys

from . import links, machine, pages, pointer, recognition, speed, streams


def arguments():
    parser = argparse.ArgumentParser(prog="Tools/report", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    timing = commands.add_parser("speed", help="time everything on this machine and write the pages")
    timing.add_argument("--hands", type=pathlib.Path, metavar="DIR",
                        help="where MediaPipe's .tflite files are (default: in the package that Tools/lab/peers/trackers brings)")
    timing.add_argument("--rounds", type=int, default=11, help="rounds over all engines (default: 11)")
    timing.add_argument("--core", type=int, help="the core to time on (default: the last one)")
    timing.add_argument("--reports", type=pathlib.Path, metavar="DIR", help="keep the reports of Tools/lab/peers there")
    crowd = commands.add_parser("streams", help="find how many live streams all cores hold and write the page")
    crowd.add_argument("--seconds", type=float, default=3, help="seconds for each number of streams (default: 3)")
    recognising = commands.add_parser("recognition", help="recognise recorded clips and write the pages")
    recognising.add_argument("clips", type=pathlib.Path, nargs="?",
                             help="a folder with the recordings of gestop and kusanagi-effect anywhere below")
    recognising.add_argument("--real", type=pathlib.Path, metavar="DIR",
                             help="recordings of people, a folder each with its truth.csv: what leads the page and README's part of it")
    recognising.add_argument("--people", type=pathlib.Path, metavar="MODELS",
                             help="with --real: measures, by class and situation, the models that finetune --people --models made without each person")
    recognising.add_argument("--held-out", type=pathlib.Path, metavar="DIR",
                             help="clips with label files: measures the pixel network on them")
    recognising.add_argument("--null", type=pathlib.Path, metavar="DIR",
                             help="with --held-out: clips with label files in which nothing is meant")
    recognising.add_argument("--head", type=pathlib.Path, metavar="FILE",
                             help="takes over what handtrain.evaluate --output wrote")
    pointing = commands.add_parser("pointer", help="measure pointers in recordings with labelled pinches and write the page")
    pointing.add_argument("folders", type=pathlib.Path, nargs="+", metavar="DIR", help="folders that have the recordings of pointer-labels.csv among them")
    for command in (timing, crowd, recognising, pointing):
        command.add_argument("--bench", type=pathlib.Path, default=machine.ROOT / ".build/release/gesture-bench",
                             help="gesture-bench of a release build")
        command.add_argument("--results", type=pathlib.Path, default=pages.RESULTS, metavar="DIR",
                             help="keep the results there and write no page")
    commands.add_parser("render", help="write the pages of the kept results")
    commands.add_parser("check", help="pages, README and links are as they should be")
    options = parser.parse_args()
    if options.command == "speed" and options.rounds < 3:
        parser.error("at least 3 rounds are needed for a median")
    if options.command == "recognition" and not (options.clips or options.real or options.held_out or options.head):
        parser.error("nothing to measure: CLIPS, --real, --held-out or --head")
    if options.command == "recognition" and options.people and not options.real:
        parser.error("--people needs --real")
    return options


def check():
    faults = pages.faults() + links.faults(machine.ROOT)
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print("pages are as their results say, and all links lead somewhere")
    return 1 if faults else 0


MEASURES = {"speed": speed, "streams": streams, "recognition": recognition, "pointer": pointer}


def main():
    options = arguments()
    if options.command == "check":
        return check()
    if options.command != "render":
        kept = options.results.resolve()
        kept.mkdir(parents=True, exist_ok=True)
        for name, result in MEASURES[options.command].measure(options):
            pages.keep(kept / f"{name}.json", result)
        if kept != pages.RESULTS:
            return 0
    pages.write()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except machine.Failure as failure:
        sys.exit(f"Tools/report: {failure}")

"""One seed, one evening: the whole table simulated in one process and one thread.

The real panel, rules, store, lock and keeper run on a clock, a disk, a network, a vault
and hands that all come from one seed; faults are drawn as dice are. What fails is a
number: ``python -m tests.evening SEED`` plays that evening again, to the letter.

Beside them a home hears, whose broker keeps what it was told; somebody asks for a page
while the table tells of something; people sit down in a second game; each charge is
reckoned from the editions' files; and a game is played without phones, since charges
are rare in an evening.

What is stepped where the program has a thread of its own: the vault's worker, the
coupling of vault and game, the live streams, the clocks of machine and coil. What is
not run, since it cannot be stepped: waitress (its threads and sockets are in
``tests/test_serving.py``), the reading of a picture (OpenCV; a stand-in gives the
verdict), the learning of decks (a thread and minutes of it), the scripts of a page but
for their tables in ``following.json``, which a simulated phone follows.

What does not happen here, since the program tells no page of it: a minute of an agreed
time passes, the table's camera breaks or comes back.
"""

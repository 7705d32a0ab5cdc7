"""A witness beside a game, who can tell whether what is said about its money is true.

It knows what happened (``acts.py``), what is printed in the box and stands on the table
(``box.py``), and reads what *Why?* says as people do: sums number by number, and
sentences word by word (``sums.py``, ``sentences.py``). Its games are those in which
much is paid for rare reasons (``games.py``).
"""

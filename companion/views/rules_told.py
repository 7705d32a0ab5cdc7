"""Every rule behind a charge or a refusal, in our own words, and where it stands.

Each row names the module that keeps the rule. That module's ``Source`` names the same
section of the same sheet, and a test compares the two. A rule without a section is one
of this program's own.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

import msgspec

from companion.words import say, told


class Sheet(enum.Enum):
    """The rule sheets, by the words of the docstrings that name them."""

    STANDARD = "the standard rules in the Mega booklet"
    GRAB_AND_GO = "Grab & Go's sheet"
    SECRET_VAULT = "the Secret Vault article"
    CASH_DECODER = "Cash Decoder's sheet"
    CROOKED_CASH = "the Crooked Cash article"
    MEGA = "the Mega booklet"


STANDARD, GRAB, VAULT = Sheet.STANDARD, Sheet.GRAB_AND_GO, Sheet.SECRET_VAULT
DECODER, CROOKED, MEGA = Sheet.CASH_DECODER, Sheet.CROOKED_CASH, Sheet.MEGA

TITLES: Mapping[Sheet, str] = {
    STANDARD: say("Standard rules"),
    GRAB: say("Rules of Grab & Go"),
    VAULT: say("Rules of Secret Vault"),
    DECODER: say("Rules of Cash Decoder"),
    CROOKED: say("Rules of Crooked Cash"),
    MEGA: say("Rules of the Mega Edition"),
}
"""What people call each sheet."""


class Told(msgspec.Struct, frozen=True):
    """One rule.

    Attributes:
        words: Whole sentences, with names of figures in braces (``why.py``).
        module: The module of ``companion`` that keeps it.
        sections: The section that says it, by the sheet; empty for a rule of our own.
    """

    words: str
    module: str
    sections: Mapping[Sheet, str] = {}


RULES: Mapping[str, Told] = {
    # Money that everybody gets.
    "start": Told(
        told("Everybody begins with {start}."),
        "rules.seats",
        {
            GRAB: "Money",
            STANDARD: "Preparation",
            VAULT: "Starting the Game",
            DECODER: "Set it up!",
            CROOKED: "Starting the Game",
            MEGA: "Money",
        },
    ),
    "salary": Told(
        told("You get {salary} from the bank when you reach GO or pass it."),
        "rules.walking",
        {
            GRAB: "Passing GO twice in one turn",
            STANDARD: "GO",
            VAULT: "GO",
            CROOKED: "Go",
        },
    ),
    "salary-vault": Told(
        told("When somebody reaches GO, the bank puts {vault_salary} into the vault."),
        "rules.walking",
        {VAULT: "GO"},
    ),
    # Deeds.
    "buy": Told(
        told("If you land on a deed that nobody owns, you may buy it at its price."),
        "rules.deeds",
        {GRAB: "Buying property", STANDARD: "Buying properties", VAULT: "Buy"},
    ),
    "buy-or-auction": Told(
        told("A deed that nobody owns is bought, or everybody may bid for it."),
        "rules.auction",
        {GRAB: "Auctions", STANDARD: "Buying properties", VAULT: "Auction"},
    ),
    "dealt": Told(
        told("The quick game deals deeds at the start. You pay for yours at once."),
        "rules.begin",
        {GRAB: "A quicker game"},
    ),
    "auction": Told(
        told("The highest bid wins, and every new bid has to be higher."),
        "rules.auction",
        {GRAB: "Auctions", STANDARD: "Buying properties", VAULT: "Auction"},
    ),
    "last-building": Told(
        told("If too few buildings are left for all who want one, they bid for it."),
        "rules.auction",
        {GRAB: "Running out of buildings", STANDARD: "Building shortages"},
    ),
    "own": Told(
        told("You build on, mortgage and trade only what is yours."),
        "rules.deeds",
        {
            GRAB: "Buying property",
            STANDARD: "Buying properties",
            VAULT: "Owned: By You",
        },
    ),
    # Rents.
    "rent": Told(
        told("If you land on somebody else's deed, you pay the rent printed on it."),
        "rules.rent",
        {GRAB: "Paying rent", STANDARD: "Paying rent", VAULT: "Owned: By Someone Else"},
    ),
    "rent-asked": Told(
        told("You pay if the owner asks before the next player rolls."),
        "rules.rent",
        {GRAB: "Paying rent", VAULT: "Owned: By Someone Else"},
    ),
    "rent-asked-later": Told(
        told("You pay if the owner asks before the second roll after yours."),
        "rules.rent",
        {STANDARD: "Paying rent"},
    ),
    "rent-automatic": Told(
        told("At this table rent is paid at once, and nobody has to ask."),
        "rules.rent",
    ),
    "rent-group": Told(
        told("Without buildings, the rent is higher for a whole colour."),
        "rules.rent",
        {GRAB: "Paying rent", STANDARD: "Paying rent", VAULT: "Color Set"},
    ),
    "rent-buildings": Told(
        told(
            "The more stands on a street, the higher its rent. The deed says how much."
        ),
        "rules.rent",
        {GRAB: "Paying rent", STANDARD: "Paying rent", VAULT: "Hotels"},
    ),
    "rent-railroad": Told(
        told("The more railroads the owner has, the higher the rent of each."),
        "rules.rent",
        {GRAB: "Railroads", STANDARD: "Paying rent"},
    ),
    "rent-utility": Told(
        told(
            "The rent of a utility is {one} to {all} times the dice: "
            "the more utilities somebody has, the more it is."
        ),
        "rules.rent",
        {GRAB: "Utilities", STANDARD: "Paying rent"},
    ),
    "rent-near": Told(
        told(
            "Without buildings, all of a colour but one earn {near} times the rent. "
            "The whole colour earns {full} times."
        ),
        "rules.rent",
        {MEGA: "New properties & skyscrapers"},
    ),
    "depot": Told(
        told("A depot costs {depot}. Its railroad then earns {more} times the rent."),
        "rules.rent",
        {MEGA: "Railroads"},
    ),
    "rent-card": Told(
        told("The card that took you there says how much rent you pay."),
        "rules.cards",
        {
            GRAB: "Chance and Community Chest",
            STANDARD: "Chance & Community Chest",
            VAULT: "Chance",
        },
    ),
    # Buildings.
    "build": Told(
        told("A building costs what the deed of its street says."),
        "rules.buildings",
        {GRAB: "Building houses", STANDARD: "Houses"},
    ),
    "build-hotel": Told(
        told("A hotel costs what the deed says, and its houses go back to the bank."),
        "rules.buildings",
        {GRAB: "Building hotels", STANDARD: "Hotels"},
    ),
    "unbuild": Told(
        told("The bank takes buildings back for half of what they cost."),
        "rules.buildings",
        {GRAB: "Selling property", STANDARD: "Selling properties"},
    ),
    "group": Told(
        told("You build only where the whole colour is yours."),
        "rules.buildings",
        {GRAB: "Building houses", STANDARD: "Houses", VAULT: "Color Set"},
    ),
    "near-group": Told(
        told(
            "You may build once all of a colour but one is yours; "
            "skyscrapers need the whole colour."
        ),
        "rules.buildings",
        {MEGA: "New properties & skyscrapers"},
    ),
    "skyscraper": Told(
        told(
            "On a whole colour with a hotel on every street you may build skyscrapers."
        ),
        "rules.buildings",
        {MEGA: "New properties & skyscrapers"},
    ),
    "last-street": Told(
        told(
            "You get the last street of a colour later? "
            "Lift its mortgage and build on it evenly at once."
        ),
        "rules.levelling",
        {MEGA: "New properties & skyscrapers"},
    ),
    "spread": Told(
        told("If you cannot pay for that, you spread your buildings over all streets."),
        "rules.levelling",
        {MEGA: "New properties & skyscrapers"},
    ),
    "evenly": Told(
        told("You build evenly: no street of a colour gets ahead by two."),
        "rules.buildings",
        {GRAB: "Building houses", STANDARD: "Houses"},
    ),
    "unbuild-evenly": Told(
        told("You sell evenly too: the street with the most on it comes first."),
        "rules.buildings",
        {GRAB: "Selling property", STANDARD: "Selling properties"},
    ),
    "build-limit": Told(
        told("A street has room for only so many buildings."),
        "rules.buildings",
        {GRAB: "Building hotels", STANDARD: "Hotels", VAULT: "Color Set"},
    ),
    "build-mortgage": Told(
        told("You build nothing while a street of that colour is mortgaged."),
        "rules.buildings",
        {GRAB: "Building houses", STANDARD: "Mortgages"},
    ),
    "none-left": Told(
        told("If the bank is out of buildings, you wait until some come back."),
        "rules.buildings",
        {
            GRAB: "Running out of buildings",
            STANDARD: "Building shortages",
            VAULT: "Hotels",
        },
    ),
    "hotels": Told(
        told("Hotels come only out of the vault, or from a trade."),
        "rules.buildings",
        {VAULT: "Hotels"},
    ),
    # Mortgages.
    "mortgage": Told(
        told(
            "The bank lends money on a deed, which earns no rent until you pay it back."
        ),
        "rules.deeds",
        {GRAB: "Mortgages", STANDARD: "Mortgages", VAULT: "Owned: By You"},
    ),
    "lift": Told(
        told("To lift a mortgage you pay back the loan and {percent} percent more."),
        "rules.deeds",
        {GRAB: "Mortgages", STANDARD: "Mortgages"},
    ),
    "lift-printed": Told(
        told("To lift a mortgage you pay what the deed says: more than the loan."),
        "rules.deeds",
        {VAULT: "Owned: By You"},
    ),
    "mortgage-taken-over": Told(
        told("Whoever takes over a mortgaged deed pays {percent} percent of its loan."),
        "rules.trade",
        {GRAB: "Selling mortgaged property", STANDARD: "Mortgages"},
    ),
    "mortgage-buildings": Told(
        told(
            "You sell the buildings of a colour before you mortgage one of its streets."
        ),
        "rules.deeds",
        {GRAB: "Mortgages", STANDARD: "Mortgages"},
    ),
    # Spaces and cards.
    "tax": Told(
        told("If you land on a tax space, you pay that tax to the bank."),
        "rules.walking",
        {GRAB: "Playing", STANDARD: "Income tax/luxury tax"},
    ),
    "tax-vault": Told(
        told("If you land on a tax space, you pay that tax into the vault."),
        "rules.walking",
        {VAULT: "Income Tax and Luxury Tax"},
    ),
    "card": Told(
        told("You do what the card says."),
        "rules.cards",
        {
            GRAB: "Chance and Community Chest",
            STANDARD: "Chance & Community Chest",
            VAULT: "Chance",
        },
    ),
    "card-vault": Told(
        told("The card says that money goes into the vault."),
        "rules.cards",
        {VAULT: "Riches"},
    ),
    "card-kept": Told(
        told("You may use a card that you have. Then it goes back under its deck."),
        "rules.cards",
        {
            GRAB: "Chance and Community Chest",
            STANDARD: "Chance & Community Chest",
            VAULT: "Chance",
        },
    ),
    # Jail.
    "to-jail": Told(
        told("You go to jail by a space, a card, or the third doubles in a row."),
        "rules.walking",
        {GRAB: "Going to jail", STANDARD: "Jail", VAULT: "Jail"},
    ),
    "fine": Told(
        told("Leaving jail costs {fine}, unless a card or doubles get you out."),
        "rules.jail",
        {GRAB: "Getting out of jail", STANDARD: "Jail", VAULT: "Getting Out of Jail"},
    ),
    "fine-last-try": Told(
        told("After {attempts} tries without doubles you pay {fine} and leave jail."),
        "rules.turn",
        {GRAB: "Getting out of jail", STANDARD: "Jail", VAULT: "Getting Out of Jail"},
    ),
    "in-jail": Told(
        told("You leave jail by paying, by a card for that, or by doubles."),
        "rules.jail",
        {GRAB: "Getting out of jail", STANDARD: "Jail", VAULT: "Getting Out of Jail"},
    ),
    # The vault.
    "vault-first": Told(
        told("Before the game begins, the bank fills the vault."),
        "rules.vault",
        {VAULT: "Riches"},
    ),
    "vault-opened": Told(
        told("Whoever opens the vault takes all that lies in it."),
        "rules.vault",
        {VAULT: "Riches"},
    ),
    "vault-refilled": Told(
        told(
            "After each opening the vault is filled again, with {refill} from the bank."
        ),
        "rules.vault",
        {VAULT: "Riches"},
    ),
    "guess-fee": Told(
        told("On this space a guess costs {fee}. You need not guess."),
        "rules.vault",
        {VAULT: "Pay to Guess!"},
    ),
    "guess": Told(
        told("You guess when the wheel on the die, a space or a card says so."),
        "rules.vault",
        {VAULT: "Code"},
    ),
    "guess-first": Told(
        told("You guess at the vault first, and move after that."),
        "rules.vault",
        {VAULT: "Special Die"},
    ),
    "vault-locked": Told(
        told("Guesses count while the vault is locked. Once open, it is filled again."),
        "rules.vault",
        {VAULT: "Code"},
    ),
    "key": Told(
        told(
            "A key from the vault opens one locked street at once, and costs nothing."
        ),
        "rules.vault",
        {VAULT: "Key"},
    ),
    "locked": Told(
        told("A locked street is not for sale. Only a key opens it."),
        "rules.walking",
        {VAULT: "Unowned and Locked"},
    ),
    # Trades.
    "trade": Told(
        told("Two players may trade for anything that both agree on."),
        "rules.trade",
        {
            GRAB: "Selling property",
            STANDARD: "Selling properties",
            VAULT: "Deals & Trades",
        },
    ),
    "no-loans": Told(
        told("You spend only what you have, and nobody lends anybody money."),
        "rules.trade",
        {GRAB: "Playing", STANDARD: "Miscellaneous"},
    ),
    "trade-buildings": Told(
        told("You sell the buildings of a colour before you trade one of its streets."),
        "rules.trade",
        {GRAB: "Selling property", STANDARD: "Selling properties"},
    ),
    # Debts, and leaving.
    "debt": Told(
        told("If you owe too much, you sell buildings, mortgage deeds or trade first."),
        "rules.debt",
        {GRAB: "Running out of money", STANDARD: "Bankruptcy"},
    ),
    "bankrupt": Told(
        told("If you cannot pay, you are out, and the one you owe gets all you have."),
        "rules.debt",
        {GRAB: "Bankruptcy", STANDARD: "Bankruptcy"},
    ),
    "resigned": Told(
        told("If you leave early, all you have goes back to the bank."),
        "rules.debt",
    ),
    # Turns and the end.
    "turn": Told(
        told("You move when it is your turn, one after another round the table."),
        "rules.turn",
        {GRAB: "Playing", STANDARD: "The play", VAULT: "Gameplay"},
    ),
    "dice": Told(
        told("You roll the dice and move as far as they say."),
        "rules.turn",
        {GRAB: "Playing", STANDARD: "The play", VAULT: "Gameplay"},
    ),
    "over-one-left": Told(
        told("The game is over when only one player is left."),
        "rules.ending",
        {GRAB: "Playing", STANDARD: "Bankruptcy"},
    ),
    "over-all-owned": Told(
        told("The game is over when somebody owns every street."),
        "rules.ending",
        {VAULT: "Ending the Game"},
    ),
    # What no box has said to the companion.
    "figure": Told(
        told("Nobody has told the companion yet what your box says here."),
        "rules.box_reading",
    ),
    # A third die, and bus tickets.
    "third-die": Told(
        told("You roll two white dice and a third one, and move by all three."),
        "rules.walking",
        {MEGA: "The dice & how to move"},
    ),
    "mr": Told(
        told(
            "Mr. Monopoly: first you move by the white dice. "
            "Then you go on to the next deed that nobody owns."
        ),
        "rules.ahead",
        {MEGA: "The dice & how to move"},
    ),
    "mr-rent": Told(
        told(
            "Once all deeds are owned, Mr. Monopoly takes you to the next rent. "
            "Mortgaged deeds do not count."
        ),
        "rules.ahead",
        {MEGA: "The dice & how to move"},
    ),
    "mr-alone": Told(
        told("Until Mr. Monopoly has moved you, nobody else builds or trades."),
        "rules.walking",
        {MEGA: "The dice & how to move"},
    ),
    "bus": Told(
        told("After a bus you take a ticket or go to the next card space."),
        "rules.choosing",
        {MEGA: "The dice & how to move"},
    ),
    "white-doubles": Told(
        told("Only the two white dice count for doubles."),
        "rules.turn",
        {MEGA: "Doubles & triples"},
    ),
    "triples": Told(
        told(
            "Three equal dice take you to any space that you like. "
            "You do not roll again."
        ),
        "rules.choosing",
        {MEGA: "Doubles & triples"},
    ),
    "jail-white": Told(
        told("In jail you roll only the white dice, unless you paid before."),
        "rules.turn",
        {MEGA: "Doubles & triples"},
    ),
    "ticket": Told(
        told("A bus ticket takes you ahead to any space up to the next corner."),
        "rules.tickets",
        {MEGA: "Bus tickets"},
    ),
    "ticket-roll": Told(
        told("On your turn you may use a bus ticket instead of rolling the dice."),
        "rules.tickets",
        {MEGA: "Bus tickets"},
    ),
    "ticket-gone": Told(
        told("There are {tickets} tickets. A used one is out of the game."),
        "rules.tickets",
        {MEGA: "Bus tickets"},
    ),
    "ticket-expire": Told(
        told(
            "Some tickets end all others: whatever tickets people hold is lost. "
            "The new one counts."
        ),
        "rules.tickets",
        {MEGA: "Bus tickets"},
    ),
    "ticket-space": Told(
        told("On a ticket space you get a bus ticket, while there are any."),
        "rules.walking",
        {MEGA: "Other new spaces"},
    ),
    "ticket-utility": Told(
        told("A ticket to somebody's utility: roll the white dice for its rent."),
        "rules.tickets",
        {MEGA: "Bus tickets"},
    ),
    "auction-space": Told(
        told("On the auction space you choose a deed of the bank. All may bid."),
        "rules.choosing",
        {MEGA: "Other new spaces"},
    ),
    "auction-highest": Told(
        told("Once all deeds are owned, it sends you to the highest rent."),
        "rules.ahead",
        {MEGA: "Other new spaces"},
    ),
    "gift": Told(
        told("On the birthday space you take {gift} from the bank, or a bus ticket."),
        "rules.choosing",
        {MEGA: "Other new spaces"},
    ),
    # Fakes.
    "chip": Told(
        told("A look through the decoder costs one green chip."),
        "rules.decoder",
        {DECODER: "Decoder Chips", CROOKED: "Decoder Chips"},
    ),
    "others-money": Told(
        told("You may not look at your own money through the decoder."),
        "rules.decoder",
        {
            DECODER: "Checking for Fake Cash",
            CROOKED: "Inspecting for Fake Cash",
        },
    ),
    "jail-no-decoder": Told(
        told("From jail nobody looks through the decoder."),
        "rules.decoder",
        {DECODER: "Go to Jail"},
    ),
    "laid": Told(
        told("What somebody pays is shown first: one note of it may be checked."),
        "rules.decoder",
        {
            DECODER: "Checking for Fake Cash",
            CROOKED: "Inspecting for Fake Cash",
        },
    ),
    "card-laid": Told(
        told("A Chance card is shown before it is used, and may be checked."),
        "rules.decoder",
        {
            DECODER: "Checking for Fake Chance Cards",
            CROOKED: "Inspecting for Fake Chance Cards",
        },
    ),
    "verdict": Told(
        told("While somebody looks, all others wait for what the decoder shows."),
        "rules.decoder",
        {
            DECODER: "Checking for Fake Cash",
            CROOKED: "Inspecting for Fake Cash",
        },
    ),
    "fake-note": Told(
        told("Who finds a fake note keeps it, and the payer pays with other notes."),
        "rules.decoder",
        {
            DECODER: "Checking for Fake Cash",
            CROOKED: "Inspecting for Fake Cash",
        },
    ),
    "fake-card": Told(
        told("Who finds a fake card gets {reward} from the bank. It is not used."),
        "rules.decoder",
        {
            DECODER: "Checking for Fake Chance Cards",
            CROOKED: "Inspecting for Fake Chance Cards",
        },
    ),
    "grace": Told(
        told("What is shown lies there for a moment, so that all can look."),
        "rules.decoder",
    ),
    "open-card": Told(
        told("You take one of the open cards and keep it until you want to use it."),
        "rules.cards",
        {DECODER: "Chance"},
    ),
    "street-sale": Told(
        told("The bank takes streets back for their price, to help you pay a debt."),
        "rules.deeds",
        {DECODER: "Help! I can't pay!"},
    ),
    "street-sale-any-time": Told(
        told("At this table you may sell streets back for their price at any time."),
        "rules.deeds",
    ),
    # The program's own.
    "by-hand": Told(
        told("You do the banking yourselves: the companion only counts."),
        "rules.bank",
    ),
    "own-money": Told(
        told("You spend only your own money. For anything else, ask the banker."),
        "rules.bank",
    ),
    "no-credit": Told(
        told("Nobody can have less than nothing. Only the bank never runs out."),
        "rules.bank",
    ),
    "asks": Told(
        told("A request for money waits until somebody answers it or takes it back."),
        "rules.bank",
    ),
    "corrected": Told(
        told("The table agreed on it, and the bank makes up the difference."),
        "rules.correcting",
    ),
    "undo": Told(
        told("What is taken back counts as if it had never happened."),
        "rules.bank",
    ),
    "seat": Told(
        told("You need a seat at this table to play."),
        "rules.seats",
    ),
    "seats": Told(
        told("There are only so many seats, and the banker may lock the table."),
        "rules.seats",
    ),
    "names": Told(
        told("Everybody has another name, colour and token, so nobody is mixed up."),
        "rules.seats",
    ),
    "left-table": Told(
        told("If you leave the table, your money goes back to the bank."),
        "rules.seats",
    ),
    "put-away": Told(
        told("A game that was put away rests until it is taken out again."),
        "rules.seats",
    ),
    "lead": Told(
        told("Either the companion leads the game, or you do the banking by hand."),
        "rules.begin",
    ),
    "typed": Told(
        told("The companion does nothing that it did not understand."),
        "rules.bank",
    ),
    "limit": Told(
        told("Everything has a limit here, so that nothing gets out of hand."),
        "rules.bank",
    ),
    "fresh": Told(
        told("A tap counts only if its page shows the table as it is now."),
        "rules.bank",
    ),
    "coil": Told(
        told("The latch of the vault has to cool after it was used a lot."),
        "rules.vault",
    ),
}
"""By a name for each rule, which nobody sees."""

"""The goods that the shop always has, whatever the seed: tasks can count on their names, prices and ratings.

All of a kind stand here: a seed adds goods of other kinds only (``made_goods.py``), so that "the cheapest rain jacket"
is the same with every seed.
"""

from __future__ import annotations

FIXED_KINDS = {
    "Kettles": "kitchen",
    "Coffee makers": "kitchen",
    "Desk lamps": "office",
    "Backpacks": "outdoor",
    "Tents": "outdoor",
    "Rain jackets": "clothing",
    "Running shoes": "clothing",
    "Headphones": "audio",
    "Jigsaw puzzles": "toys",
    "Watering cans": "garden",
}
"""Kind -> category."""

_SHOES, _SIZES = "39 40 41 42 43 44", "S M L XL"

FIXED_GOODS: tuple[tuple[str, str, str, int, float, str, str, str], ...] = (
    # kind, name, brand, price in cents, rating, colours, sizes, what it can do
    ("Kettles", "Brookfield Electric Kettle 1.7 l", "Brookfield", 3490, 4.4, "Steel, Black, Cream", "", "Switches off by itself; lid opens with one hand; 2200 W"),
    ("Kettles", "Brookfield Gooseneck Kettle 0.9 l", "Brookfield", 5990, 4.7, "Black, Copper", "", "Narrow spout for pouring slowly; temperature from 40 to 100 °C"),
    ("Kettles", "Morrow Glass Kettle 1.5 l", "Morrow", 2790, 3.9, "Clear", "", "Glass body with a blue light; scale filter"),
    ("Kettles", "Tidewell Travel Kettle 0.5 l", "Tidewell", 1990, 4.1, "White, Blue", "", "Folds flat; 110 and 230 V"),
    ("Kettles", "Osterby Stove Kettle 2.0 l", "Osterby", 4250, 4.5, "Red, Cream", "", "Whistles when the water boils; for induction, too"),
    ("Coffee makers", "Morrow Filter Coffee Maker", "Morrow", 4990, 4.0, "Black, Steel", "", "Glass jug for 10 cups; keeps warm for 30 minutes"),
    ("Coffee makers", "Osterby French Press 1.0 l", "Osterby", 2690, 4.6, "Steel, Copper", "", "Double wall; fine steel sieve"),
    ("Coffee makers", "Tidewell Moka Pot 6 cups", "Tidewell", 2290, 4.3, "Steel, Red", "", "Aluminium; for gas and ceramic hobs"),
    ("Coffee makers", "Brookfield Pour-Over Set", "Brookfield", 3190, 4.8, "White, Black", "", "Porcelain dripper, jug and 40 filters"),
    ("Coffee makers", "Linden Espresso Machine Duo", "Linden", 18900, 4.2, "Steel", "", "15 bar pump; milk frother"),
    ("Desk lamps", "Halden Arc Desk Lamp", "Halden", 6490, 4.6, "Black, White", "", "Five levels of brightness; arm of 80 cm"),
    ("Desk lamps", "Halden Clip Lamp", "Halden", 2490, 4.0, "White, Green", "", "Clamps to tables up to 5 cm; USB cable"),
    ("Desk lamps", "Linden Reading Lamp Pico", "Linden", 3990, 4.3, "Brass, Black", "", "Warm light; touch switch"),
    ("Desk lamps", "Morrow Banker Lamp", "Morrow", 7990, 4.1, "Green", "", "Glass shade; pull chain"),
    ("Desk lamps", "Osterby Architect Lamp", "Osterby", 5590, 4.8, "Black, Red, White", "", "Springs hold any position; E27 bulb"),
    ("Backpacks", "Fellway City Backpack", "Fellway", 5990, 4.2, "Grey, Navy", "18 l, 24 l", "Laptop pocket up to 15 inches; water repellent"),
    ("Backpacks", "Fellway Ridge Backpack", "Fellway", 9990, 4.7, "Green, Orange", "30 l, 40 l", "Waterproof cover; hip belt with pockets"),
    ("Backpacks", "Kestrel Roll-Top Backpack", "Kestrel", 7450, 4.5, "Yellow, Black", "22 l, 28 l", "Waterproof; welded seams; roll closure"),
    ("Backpacks", "Kestrel Day Pack", "Kestrel", 3990, 3.8, "Blue, Grey", "15 l", "Weighs 320 g; folds into its own pocket"),
    ("Backpacks", "Norrland School Backpack", "Norrland", 4990, 4.4, "Red, Blue, Green", "20 l", "Reflecting stripes; back padded"),
    ("Tents", "Fellway Dome Tent for 2", "Fellway", 12900, 4.3, "Green, Orange", "", "3.1 kg; waterproof to 3000 mm; up in five minutes"),
    ("Tents", "Fellway Tunnel Tent for 4", "Fellway", 27900, 4.6, "Green", "", "Two sleeping cabins; standing height 190 cm"),
    ("Tents", "Kestrel Ultralight Tent for 1", "Kestrel", 23900, 4.7, "Grey", "", "1.2 kg; waterproof to 2000 mm; trekking poles as tent poles"),
    ("Tents", "Norrland Pop-Up Tent for 2", "Norrland", 7990, 3.7, "Blue", "", "Opens by itself; for festivals and the beach"),
    ("Rain jackets", "Fellway Storm Jacket", "Fellway", 14900, 4.7, "Blue, Black, Red", _SIZES, "Waterproof to 20000 mm; hood fits a helmet"),
    ("Rain jackets", "Kestrel Packable Jacket", "Kestrel", 6990, 4.2, "Blue, Yellow", _SIZES, "Waterproof to 10000 mm; packs into its hood"),
    ("Rain jackets", "Norrland Town Coat", "Norrland", 8990, 4.4, "Navy, Olive", _SIZES, "Longer cut; waterproof; two-way zip"),
    ("Rain jackets", "Norrland Rain Poncho", "Norrland", 2990, 3.6, "Blue, Green", _SIZES, "Covers a backpack; snaps at the sides"),
    ("Rain jackets", "Marsh & Vale Fisherman Jacket", "Marsh & Vale", 7490, 4.1, "Yellow, Blue", _SIZES, "Rubber coated; corduroy collar"),
    ("Rain jackets", "Marsh & Vale Light Anorak", "Marsh & Vale", 5490, 3.9, "Blue, Grey", _SIZES, "Water repellent; kangaroo pocket"),
    ("Running shoes", "Stride Tempo 3", "Stride", 11900, 4.5, "White, Black", _SHOES, "Neutral; drop of 8 mm; 240 g"),
    ("Running shoes", "Stride Trail Grip", "Stride", 12900, 4.6, "Orange, Black", _SHOES, "Lugs of 5 mm; rock plate"),
    ("Running shoes", "Stride Tempo 2", "Stride", 8490, 4.3, "Blue, Black", _SHOES, "Last year's model; neutral; drop of 8 mm"),
    ("Running shoes", "Kestrel Road Runner", "Kestrel", 9990, 4.0, "Grey, Red", _SHOES, "Supports the arch; wide last"),
    ("Running shoes", "Norrland Winter Runner", "Norrland", 13900, 4.4, "Black", _SHOES, "Waterproof; 14 steel studs"),
    ("Headphones", "Aria Studio Headphones", "Aria", 12900, 4.6, "Black", "", "Over-ear; cable of 3 m; closed"),
    ("Headphones", "Aria Wireless Headphones", "Aria", 7990, 4.3, "Black, White, Blue", "", "Bluetooth 5.3; 40 hours; folds"),
    ("Headphones", "Aria Sport Earbuds", "Aria", 5490, 4.0, "Black, Green", "", "Ear hooks; sweat-proof; 8 hours"),
    ("Headphones", "Tonwerk Quiet 700", "Tonwerk", 19900, 4.8, "Black, Sand", "", "Noise cancelling; wireless; 30 hours"),
    ("Headphones", "Tonwerk Earbuds Mini", "Tonwerk", 6990, 4.5, "White, Black", "", "Wireless; noise cancelling; 6 hours and 24 in the case"),
    ("Headphones", "Linden Kids Headphones", "Linden", 2490, 4.4, "Pink, Blue", "", "Limited to 85 dB; cable of 1.2 m"),
    ("Jigsaw puzzles", "Harbour at Dawn, 1000 pieces", "Ludo House", 1790, 4.7, "", "", "68 by 48 cm; from 12 years"),
    ("Jigsaw puzzles", "Harbour at Dusk, 500 pieces", "Ludo House", 1290, 4.5, "", "", "49 by 36 cm; from 9 years"),
    ("Jigsaw puzzles", "Map of the Stars, 1500 pieces", "Ludo House", 2390, 4.8, "", "", "80 by 60 cm; glows in the dark"),
    ("Jigsaw puzzles", "Farm Animals, 24 pieces", "Little Fox", 990, 4.6, "", "", "Large wooden pieces; from 3 years"),
    ("Watering cans", "Marsh & Vale Watering Can 9 l", "Marsh & Vale", 3290, 4.5, "Green, Zinc", "", "Brass rose; zinc coated steel"),
    ("Watering cans", "Marsh & Vale Indoor Can 1 l", "Marsh & Vale", 1890, 4.6, "Zinc, Copper", "", "Long thin spout for pots"),
    ("Watering cans", "Tidewell Watering Can 10 l", "Tidewell", 1290, 4.0, "Green, Blue", "", "Light plastic; scale inside"),
    ("Watering cans", "Tidewell Child's Can 2 l", "Tidewell", 790, 4.2, "Red, Yellow", "", "For small hands; two handles"),
)  # fmt: skip

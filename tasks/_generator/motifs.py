"""The shapes that "Questions about a picture" is drawn of; each stands around its own origin."""

from __future__ import annotations

SCENES = {
    "water": (
        '<rect width="640" height="400" fill="#4fa3bc"/><rect width="640" height="130" fill="#7fd0e0" opacity=".6"/>'
        '<path d="M0 360Q90 335 190 358T400 352T640 345V400H0Z" fill="#e6cf9b"/>'
        '<path d="M40 362c-14-40 12-52-4-92M58 366c12-34-10-44 6-78M590 356c-12-42 14-56-2-98M572 358c10-28-8-42 2-66"'
        ' fill="none" stroke="#2c7d5a" stroke-width="9"/>'
    ),
    "hills": (
        '<rect width="640" height="400" fill="#a9cdea"/><rect y="200" width="640" height="200" fill="#fde9cf"/>'
        '<path d="M0 350Q130 290 270 345T640 320V400H0Z" fill="#9fc08a"/>'
        '<path d="M0 380Q180 335 330 375T640 362V400H0Z" fill="#6f9e63"/>'
    ),
    "sea": (
        '<rect width="640" height="400" fill="#f6dcb9"/><rect y="110" width="640" height="290" fill="#5b93ad"/>'
        '<path d="M0 205q20-10 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0'
        'M0 352q20-10 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0"'
        ' fill="none" stroke="#fff" opacity=".4" stroke-width="4"/>'
    ),
    "shelf": (
        '<rect width="640" height="400" fill="#dfe6e3"/>'
        '<rect y="176" width="640" height="18" fill="#8b5e3c"/><rect y="326" width="640" height="18" fill="#8b5e3c"/>'
        '<rect y="190" width="640" height="5" fill="#6b4529"/><rect y="340" width="640" height="5" fill="#6b4529"/>'
    ),
}
SHAPES = {
    "fish": (
        '<path d="M22 0L44-19Q38 0 44 19Z"/><path d="M-10-18Q4-34 16-16Z"/><ellipse rx="34" ry="22"/>'
        '<path d="M-34 0Q-30 22 0 22T34 0Q0 14-34 0Z" fill="#000" opacity=".13"/>'
        '<circle cx="-18" cy="-6" r="6" fill="#fff"/><circle cx="-20" cy="-6" r="3" fill="#222"/>'
    ),
    "balloon": (
        '<path d="M0-50C-32-50-42-24-36-6C-31 9-14 20-9 28H9C14 20 31 9 36-6C42-24 32-50 0-50Z"/>'
        '<path d="M0-50C-14-50-18-20-14-2C-12 10-6 20-4 28H4C6 20 12 10 14-2C18-20 14-50 0-50Z" fill="#000"'
        ' opacity=".12"/><path d="M-8 28L-6 40M8 28L6 40" fill="none" stroke="#5d4630" stroke-width="2"/>'
        '<rect x="-8" y="39" width="16" height="11" fill="#7a5b3c"/>'
    ),
    "boat": (
        '<path d="M2-48V14H38Q28-26 2-48Z"/><path d="M-4-38V14H-34Q-22-16-4-38Z"/>'
        '<path d="M2-48V14H38Q28-26 2-48Z" fill="#000" opacity=".1"/>'
        '<path d="M-1-52V22" fill="none" stroke="#4b3826" stroke-width="4"/>'
        '<path d="M-40 20H42L30 38H-28Z" fill="#6b4a2f"/>'
    ),
    "cup": (
        '<path d="M26-14Q46-14 46 2T24 18" fill="none" stroke="#4a4a4a" stroke-width="7"/>'
        '<path d="M-32-24H30L26 34Q25 41 17 41H-19Q-27 41-28 34Z"/>'
        '<path d="M10-24H30L26 34Q25 41 17 41H6Z" fill="#000" opacity=".1"/>'
        '<ellipse cx="-1" cy="-24" rx="31" ry="7" fill="#5b3a26"/>'
    ),
}
EXTRAS = {
    "crab": (
        '<g transform="translate(588 372)" fill="#7d2f2a">'
        '<path d="M-22 4l-14 10M-16 10l-8 12M22 4l14 10M16 10l8 12M-20-6l-12-12M20-6l12-12" fill="none"'
        ' stroke="#7d2f2a" stroke-width="4"/><ellipse rx="24" ry="15"/>'
        '<circle cx="-34" cy="-20" r="8"/><circle cx="34" cy="-20" r="8"/>'
        '<circle cx="-8" cy="-8" r="4" fill="#fff"/><circle cx="8" cy="-8" r="4" fill="#fff"/></g>'
    ),
    "sun": '<circle cx="596" cy="42" r="26" fill="#fff1b8"/><circle cx="596" cy="42" r="20" fill="#ffd75e"/>',
    "lighthouse": (
        '<g transform="translate(604 58)"><path d="M-34 60Q0 34 36 60Z" fill="#4f4a45"/>'
        '<path d="M-11 48L-7-28H7L11 48Z" fill="#fff"/><path d="M-10 26L-9 6H9L10 26Z" fill="#a33"/>'
        '<rect x="-8" y="-42" width="16" height="14" fill="#ffe27a"/><path d="M-11-42L0-54L11-42Z" fill="#333"/></g>'
    ),
    "clock": (
        '<g transform="translate(592 44)"><circle r="32" fill="#fff" stroke="#4a3a2c" stroke-width="6"/>'
        '<path d="M0-20V0L13 8" fill="none" stroke="#4a3a2c" stroke-width="4"/></g>'
    ),
}
FRONTS = {
    "water": '<path d="M{x} 400C{x} 300 {y} 250 {x} 150" fill="none" stroke="#245e46" stroke-width="11"/>',
    "hills": '<path d="M{x} 400L{y} 60M{x} 260L{y} 180" fill="none" stroke="#5a4632" stroke-width="9"/>',
    "sea": '<path d="M{x} 400V120" fill="none" stroke="#4d4036" stroke-width="12"/>',
    "shelf": '<path d="M{x} 0V400" fill="none" stroke="#8b5e3c" stroke-width="11"/>',
}
"""Something that stands before the objects, at two places x and y."""

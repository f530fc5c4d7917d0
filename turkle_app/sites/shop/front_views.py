"""What is sold: the front page, categories, search, and the page of a product."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from turkle_app.sites.pages import page, show, state_of
from turkle_app.sites.shop.assortment import CATEGORIES, Product
from turkle_app.sites.shop.customer import MOST_PIECES
from turkle_app.sites.shop.finding import PAGE_SIZE, SORTS, Wish, facets, found, related
from turkle_app.sites.shop.shop_state import CannotBe, ShopState


@page
def home(request: HttpRequest) -> HttpResponse:
    """The front page: categories, what is liked best, and the coupon of the week."""
    goods = state_of(request, ShopState).goods.goods
    liked = sorted(goods, key=lambda product: -product.rating)[:8]
    return show(request, "home.html", {"liked": liked})


@page
def search(request: HttpRequest) -> HttpResponse:
    """What fits words and filters."""
    return _listing(request, "")


@page
def category(request: HttpRequest, name: str) -> HttpResponse:
    """The goods of a category, with the same filters."""
    if name not in CATEGORIES:
        raise Http404
    return _listing(request, name)


def _listing(request: HttpRequest, name: str) -> HttpResponse:
    state = state_of(request, ShopState)
    wish = Wish.read(request.GET, name)
    hits = found(state.goods.goods, wish)
    by_name = {facet.name: facet for facet in facets(state.goods.goods, wish)}
    shown = Paginator(hits, PAGE_SIZE).get_page(request.GET.get("page"))
    rest = request.GET.copy()
    rest.pop("page", None)
    context = {
        "wish": wish,
        "title": CATEGORIES.get(name, ""),
        "page": shown,
        "count": len(hits),
        "facets": [by_name[each] for each in state.layout.filters],
        "sorts": [(key, words) for key, (words, _) in SORTS.items()],
        "stars": ("4.5", "4", "3"),
        "rest": rest.urlencode(),
        "asked": request.GET,
    }
    return show(request, "listing.html", context)


@page
def product(request: HttpRequest, slug: str) -> HttpResponse:
    """A product: choose colour, size and quantity, put it into the cart or on the wish list."""
    state = state_of(request, ShopState)
    thing = state.goods.by_slug.get(slug)
    if thing is None:
        raise Http404
    problem = ""
    if request.method == "POST" and request.POST.get("do") == "wish":
        _wish(state, thing)
        return redirect("product", slug=slug)
    if request.method == "POST":
        quantity = request.POST.get("quantity", "1")
        try:
            pieces = int(quantity) if quantity.isascii() and quantity.isdecimal() and len(quantity) < 4 else 0
            state.add(thing, request.POST.get("colour", ""), request.POST.get("size", ""), pieces)
            state.notice = f"{thing.name} is in your cart."
            return redirect(state.layout.cart)
        except CannotBe as error:
            problem = str(error)
    context = {
        "product": thing,
        "problem": problem,
        "sent": request.POST,
        "quantities": range(1, MOST_PIECES // 2 + 1),
        "related": related(state.goods.goods, thing),
        "wished": slug in state.wish_list,
    }
    return show(request, "product.html", context, 400 if problem else 200)


def _wish(state: ShopState, thing: Product) -> None:
    if thing.slug not in state.wish_list:
        state.wish_list.append(thing.slug)
    state.notice = f"{thing.name} is on your wish list."

"""The addresses of the shop."""

from __future__ import annotations

from django.urls import path

from turkle_app import agents
from turkle_app.sites import pages
from turkle_app.sites.shop import account_views, address_views, cart_views, checkout_views, front_views, order_views

urlpatterns = [
    path("", front_views.home, name="home"),
    path("search/", front_views.search, name="search"),
    path("category/<str:name>/", front_views.category, name="category"),
    path("product/<str:slug>/", front_views.product, name="product"),
    path("cart/", cart_views.cart, name="cart"),
    path("basket/", cart_views.cart, name="basket"),
    path("checkout/address/", checkout_views.address, name="checkout-address"),
    path("checkout/delivery/", checkout_views.delivery, name="checkout-delivery"),
    path("checkout/payment/", checkout_views.payment, name="checkout-payment"),
    path("checkout/review/", checkout_views.review, name="checkout-review"),
    path("checkout/done/<str:number>/", checkout_views.done, name="checkout-done"),
    path("account/", account_views.account, name="account"),
    path("account/wish-list/", account_views.wish_list, name="wish-list"),
    path("account/settings/", account_views.settings, name="settings"),
    path("account/orders/", order_views.orders, name="orders"),
    path("account/orders/<str:number>/", order_views.order, name="order"),
    path("account/orders/<str:number>/return/", order_views.send_back, name="send-back"),
    path("account/returns/", order_views.returns, name="returns"),
    path("account/addresses/", address_views.addresses, name="addresses"),
    path("account/addresses/new/", address_views.new_address, name="new-address"),
    path("account/addresses/<int:number>/", address_views.edit_address, name="edit-address"),
    path("static/<str:name>", pages.static, name="static"),
]

handler400 = agents.bad_request
handler404 = pages.not_found
handler500 = agents.server_error

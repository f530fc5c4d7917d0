// Stand-in for services that tell a page where its reader is, written for this project. Every reader is nowhere in
// particular: the address is one that is reserved for documentation, the country the code for "unknown".
(() => {
  "use strict";
  const NAME = "Unknown";
  const CODE = "ZZ";
  const ADDRESS = "192.0.2.1";
  const answer = {
    status: "success", success: true, ip: ADDRESS, query: ADDRESS, IPv4: ADDRESS, ip_address: ADDRESS, hostname: "", org: "", isp: "",
    as: "", country: CODE, countryCode: CODE, country_code: CODE, country_name: NAME, countryName: NAME, continent_code: CODE,
    region: NAME, regionName: NAME, region_name: NAME, region_code: "", city: NAME, cityName: NAME, postal: "", zip: "", zip_code: "",
    loc: "0,0", lat: 0, lon: 0, latitude: 0, longitude: 0, metro_code: 0, timezone: "UTC", time_zone: "UTC", currency: "",
    geoplugin_request: ADDRESS, geoplugin_status: 200, geoplugin_countryName: NAME, geoplugin_countryCode: CODE,
    geoplugin_region: NAME, geoplugin_regionName: NAME, geoplugin_city: NAME, geoplugin_latitude: "0", geoplugin_longitude: "0",
    geobytesipaddress: ADDRESS, geobytescountry: NAME, geobytesinternet: CODE, geobytesregion: NAME, geobytescity: NAME,
    geobyteslatitude: "0", geobyteslongitude: "0",
  };

  // A function whose name the address holds is what the page waits for; its name may be a path (jQuery.callbacks.one).
  const asked = new URL(document.currentScript?.src || location.href).searchParams;
  const name = ["callback", "jsonp", "jsoncallback", "cb"].map((key) => asked.get(key)).find(Boolean);
  if (name) {
    const path = name.split(".");
    const method = path.pop();
    const owner = path.reduce((object, key) => object?.[key], window);
    if (typeof owner?.[method] === "function") owner[method](answer);
    return;
  }

  // Without one the services leave their answer in variables or functions of their own.
  const variables = {
    sGeobytesCountry: NAME, sGeobytesCity: NAME, sGeobytesRegion: NAME, sGeobytesIpAddress: ADDRESS, sGeobytesInternet: CODE,
    sGeobytesLocationCode: "", sGeobytesCode: "", sGeobytesRegionCode: "", sGeobytesCityId: "", sGeobytesLatitude: "0",
    sGeobytesLongitude: "0", sGeobytesTimeZone: "+00:00", sGeobytesNationality: "", sGeobytesCurrency: "",
    userip: ADDRESS, geoip_country_code: () => CODE, geoip_country_name: () => NAME, geoip_region: () => "",
    geoip_region_name: () => NAME, geoip_city: () => NAME, geoip_latitude: () => "0", geoip_longitude: () => "0",
    geoplugin_request: () => ADDRESS, geoplugin_countryName: () => NAME, geoplugin_countryCode: () => CODE,
    geoplugin_region: () => NAME, geoplugin_city: () => NAME, geoplugin_latitude: () => "0", geoplugin_longitude: () => "0",
  };
  for (const [variable, value] of Object.entries(variables)) window[variable] ??= value;
  window.google ??= {};
  window.google.loader ??= {
    ClientLocation: { latitude: 0, longitude: 0, address: { city: NAME, region: NAME, country: NAME, country_code: CODE } },
  };
  window.google.load ??= () => {};
  window.google.setOnLoadCallback ??= (callback) => { window.addEventListener("load", () => callback()); };
})();

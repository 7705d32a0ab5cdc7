/* Stands in every page and runs before all else, in the oldest syntax: a page becomes one
   with script only once all of it has come and run. Until then it works without script;
   where a part is lost, blocked or too new for the browser, the page is loaded again,
   and says so if that does not help. The table's screen goes on trying for ever.
   On <html>, with-script says that they may still come, has-script that they have run. */
(function () {
  "use strict";
  var SLOW_MS = 15000; // Then a page says what it waits for,
  var STUCK_MS = 60000; // and then it is loaded again: what is only slow would begin anew.
  var TRIES_MS = [1000, 4000];
  var SCREEN_MS = 15000; // After those tries, for the table's screen only.
  var KEY = "loaded again " + location.pathname;
  var OURS = /\/static\/(?:.*\/)?([^\/?]+)/; // Browsers and their helpers bring scripts of their own.
  var root = document.documentElement;
  var missing = "";
  var isTyped = false;
  var isReady = false;

  /* How often the page was loaded again so far; where nothing is kept, often enough. */
  function tries(next) {
    try {
      if (next !== undefined) sessionStorage.setItem(KEY, next);
      return Number(sessionStorage.getItem(KEY));
    } catch (refused) {
      return TRIES_MS.length;
    }
  }

  function say() {
    var words = document.getElementById("unready");
    if (!words) return;
    words.hidden = isReady;
    words.getElementsByTagName("small")[0].textContent = missing;
    words.getElementsByTagName("button")[0].onclick = function () { location.reload(); };
  }

  /* Only what answers is loaded: a browser's own error page would never come back. */
  function loadAgain() {
    var asked = new XMLHttpRequest();
    asked.onreadystatechange = function () {
      if (asked.readyState !== 4 || isReady || isTyped) return;
      if (asked.status !== 200 || asked.responseText.indexOf("id=\"whole\"") < 0) setTimeout(loadAgain, SCREEN_MS);
      else location.reload();
    };
    asked.open("GET", location.href);
    asked.send();
    setTimeout(function () { asked.abort(); }, SLOW_MS);
  }

  /* Older browsers also lack other things that the scripts need, and do not say so. */
  function isOld() {
    return !window.CSS || !CSS.supports || !CSS.supports("selector(:focus-visible)");
  }

  function fail() {
    var tried = isOld() ? TRIES_MS.length : tries();
    var body = document.body;
    var isAnswer = body && body.getAttribute("data-again") === "";
    var isScreen = /\/table$/.test(location.pathname);
    root.className = root.className.replace("with-script", "");
    if (tried >= TRIES_MS.length) say();
    if (isReady || isTyped || isAnswer || (tried >= TRIES_MS.length && !isScreen)) return;
    tries(tried + 1);
    setTimeout(loadAgain, TRIES_MS[tried] || SCREEN_MS);
  }

  function settle() {
    var ready = document.createEvent("Event");
    if (!missing && !document.getElementById("whole")) missing = location.pathname;
    if (!missing && isOld()) missing = navigator.userAgent;
    if (missing) return fail();
    isReady = true;
    tries(0);
    say();
    root.className += " with-script has-script";
    ready.initEvent("companion:ready", false, false);
    window.dispatchEvent(ready);
  }

  root.className += " with-script";
  window.addEventListener("error", function (event) {
    var script = event.target.tagName === "SCRIPT" ? event.target.src : event.filename;
    var ours = script && script.indexOf(location.origin) === 0 && OURS.exec(script);
    if (ours && !isReady && !missing) missing = ours[1];
  }, true);
  document.addEventListener("input", function () { isTyped = true; });
  document.addEventListener("DOMContentLoaded", settle);
  setTimeout(function () { if (!isReady && !missing) say(); }, SLOW_MS);
  setTimeout(function () { if (!isReady && !missing) fail(); }, STUCK_MS);
})();

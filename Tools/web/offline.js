/**
 * Keeps the page's files, so that a second visit needs no network. `version.js`, which the build writes, has their names with the
 * SHA-256 of each: `build.files` for those that every visit needs, and `build.later` for the others; `build.version` is of them all.
 */
importScripts("version.js");
const caching = `swift-gesture ${registration.scope} `, name = caching + build.version;
const address = (file) => new URL(file, registration.scope).href;
const hashes = new Map(Object.entries({ ...build.files, ...build.later }).map(([file, hash]) => [address(file), hash]));
const home = address("./"), pages = [home, address("index.html")];
/** How long a page's address may take before the kept page is shown, in milliseconds. */
const patience = 4000;

/** Whether an answer is the file of this build. */
async function isWhole(answer, url) {
  if (!answer.ok) return false;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.clone().arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("") === hashes.get(url);
}

addEventListener("install", (event) => event.waitUntil((async () => {
  // All or none: while the files of a build are still being copied to the server, the one that is kept goes on.
  const answers = await Promise.all(Object.keys(build.files).map(address).map(async (url) => {
    // By the network: the browser's own cache may have files of another build.
    const answer = await fetch(url, { cache: "no-cache" });
    if (!await isWhole(answer, url)) throw new Error(`${url} is not the file of build ${build.version}.`);
    return [url, answer];
  }));
  const cache = await caches.open(name);
  try {
    await Promise.all(answers.map(([url, answer]) => cache.put(url, answer)));
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const isOld = (other) => other !== name && other.startsWith(caching);
  await Promise.all((await caches.keys()).filter(isOld).map((other) => caches.delete(other)));
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    const { origin, pathname } = new URL(request.url);
    if (pages.includes(origin + pathname)) event.respondWith(page(request));
  } else if (hashes.has(request.url)) {
    event.respondWith(file(request));
  }
});

/** Whether the network has a page that is no build: its files are not those that are kept. */
let isForeign = false;

/** The page that is kept, unless the network has one that is no build. Another build comes once its own worker has all of it. */
async function page(request) {
  const kept = await (await caches.open(name)).match(home);
  if (!kept) return fetch(request);
  isForeign = false;
  try {
    const answer = await fetch(request.url, { cache: "no-cache", signal: AbortSignal.timeout(patience) });
    isForeign = answer.ok && !/<meta name="engine" content="\w+"/.test(await answer.clone().text());
    // A browser takes no answer of another address for that of a page.
    if (isForeign) return answer.redirected ? Response.redirect(answer.url) : answer;
  } catch {
    // There is no network.
  }
  return kept;
}

async function file(request) {
  if (isForeign) return fetch(request);
  const cache = await caches.open(name), kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (await isWhole(answer, request.url)) await cache.put(request, answer.clone());
  return answer;
}

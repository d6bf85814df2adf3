/**
 * Keeps the page's files, so that a second visit needs no network. `version.js`, which the build writes, has a hash of all files
 * and their names: `build.version`, `build.files` for those that every visit needs, and `build.later` for the others.
 */
importScripts("version.js");
const name = `swift-gesture ${build.version}`;
const known = new Set([...build.files, ...build.later].map((file) => new URL(file, registration.scope).href));
/** How long a page's address may take before the kept page is shown, in milliseconds. */
const patience = 4000;

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(name);
  // By the network: the browser's own cache may have files of another build.
  await cache.addAll(build.files.map((file) => new Request(file, { cache: "no-cache" })));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const names = (await caches.keys()).filter((other) => other.startsWith("swift-gesture ") && other !== name);
  await Promise.all(names.map((other) => caches.delete(other)));
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (known.has(request.url)) event.respondWith(file(request));
});

/** Whether the network has another build, or another page: its files are not those that are kept. */
let isOutdated = false;

/** The page of the network, which may be newer, or the one that is kept. */
async function page(request) {
  const cache = await caches.open(name);
  const kept = () => cache.match(request, { ignoreSearch: true });
  if (!await kept()) return fetch(request);
  try {
    const answer = await fetch(request.url, { cache: "no-cache", signal: AbortSignal.timeout(patience) });
    isOutdated = answer.ok && !(await answer.clone().text()).includes(build.version);
    return answer.ok ? answer : await kept();
  } catch {
    isOutdated = false;
    return kept();
  }
}

async function file(request) {
  if (isOutdated) return fetch(request);
  const cache = await caches.open(name);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.status === 200) await cache.put(request, answer.clone());
  return answer;
}

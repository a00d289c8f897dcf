/**
 * Which modules come together in one file: a dozen tiny ones compress badly and arrive one by one. Pages without an island
 * run `base` to `flow` and nothing of the rest; `signed-in` and `media` start a protected page while `react` is on its way.
 * Each entry is the beginning of a path; the build fails where one meets no module (astro.config.mjs), so that a file that
 * is moved or renamed takes its entry along. What is in no group is divided by the bundler.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  base: [
    'vite/preload-helper',
    'src/boot/page/page.ts',
    'src/boot/page/follow-redirect-url.ts',
    'src/boot/page/on-load.ts',
    'src/api/xsrf.ts',
    'src/domain/sign-in-pages.ts',
    'src/stores/storage/box.ts',
  ],
  ask: ['src/api/transport.ts', 'src/api/me.ts', 'src/api/result.ts'],
  rescue: ['src/boot/page/trouble.ts', 'src/domain/loop-guard.ts'],
  flow: ['src/boot/session/post.ts', 'src/boot/session/sign-in.ts'],
  'signed-in': [
    'src/boot/log/noted-fetch.ts',
    'src/boot/log/note-requests.ts',
    'src/boot/log/record-known.ts',
    'src/services/logged-fetch.ts',
    'node_modules/valibot/',
    'node_modules/nanostores/',
    'node_modules/@nanostores/persistent/',
    'contract/call.ts',
    'contract/constants.ts',
    'contract/devices.ts',
    'contract/envelope.ts',
    'contract/events.ts',
    'contract/extension.ts',
    'contract/roles.ts',
    'contract/signalling.ts',
    'src/first/events.ts',
    'src/first/live.ts',
    'src/api/client.ts',
    'src/api/early-fetch.ts',
    'src/api/refresh.ts',
    'src/api/refused.ts',
    'src/media/until-loaded.ts',
    'src/boot/session/connected.ts',
    'src/boot/page/idle.ts',
    'src/boot/session/marker.ts',
    'src/boot/session/who.ts',
    'src/stores/session/connect.ts',
    'src/stores/home/devices.ts',
    'src/stores/home/feed.ts',
    'src/stores/search/search-modal.ts',
    'src/stores/storage/persistent.ts',
    'src/stores/storage/storage.ts',
    'src/stores/session/refresh-timer.ts',
    'src/stores/session/session.ts',
  ],
  // Comes once a page opens its feed.
  feed: ['contract/feed.ts', 'src/stores/home/feed-connection.ts'],
  brand: ['contract/brand.ts'],
  // What plans there are: the list of events asks how long they keep.
  plans: ['contract/catalogue.ts', 'contract/skus.ts'],
  time: [
    'src/domain/clock.ts',
    'src/domain/counts.ts',
    'src/domain/list-dates.ts',
    'src/domain/local-time.ts',
    'src/domain/parts.ts',
  ],
  media: [
    'contract/live.ts',
    'contract/relay.ts',
    'src/media/back-off.ts',
    'src/media/early-socket.ts',
    'src/media/live-driver.ts',
    'src/media/picture.ts',
    'src/media/screen.ts',
    'src/media/tile-machine.ts',
    'src/stores/live/live.ts',
    'src/stores/live/live-layout.ts',
    'src/stores/live/live-page.ts',
    'src/stores/live/live-places.ts',
    'src/stores/live/live-streams.ts',
    'src/stores/live/live-swap.ts',
    'src/stores/live/live-tiles.ts',
    'src/stores/live/live-today.ts',
  ],
  react: [
    'node_modules/react/',
    'node_modules/react-dom/',
    'node_modules/scheduler/',
    'node_modules/@nanostores/react/',
    'node_modules/@astrojs/react/',
    'src/ui/style-sheet.ts',
  ],
  // /live shows its first pictures without any.
  icons: [
    'node_modules/lucide-react/dist/esm/Icon',
    'node_modules/lucide-react/dist/esm/context',
    'node_modules/lucide-react/dist/esm/createLucideIcon',
    'node_modules/lucide-react/dist/esm/shared/',
  ],
  live: [
    'src/islands/live/Live.tsx',
    'src/islands/live/parts/Grid.tsx',
    'src/islands/live/parts/Pills.tsx',
    'src/islands/live/parts/Tile.tsx',
    'src/islands/live/parts/lazy-tile.ts',
    'src/islands/live/parts/lazy.ts',
    'src/islands/live/parts/no-cameras.ts',
    'src/islands/live/parts/words.ts',
  ],
  // Requested together after the first frames: one file.
  Later: ['src/islands/live/parts/Later.tsx', 'src/islands/live/parts/LaterTile.tsx'],
  // Any protected page may be opened with a coupon in its address.
  coupon: ['src/domain/coupon.ts', 'src/stores/commerce/discount.ts'],
  // /live, too, has what leads to the search: it fetches these, and not the list.
  'event-rules': [
    'contract/event-tags.ts',
    'src/domain/clip-resource.ts',
    'src/domain/date-range.ts',
    'src/domain/event-address.ts',
    'src/domain/event-filter.ts',
    'src/domain/event-labels.ts',
    'src/domain/event-list.ts',
    'src/domain/event-types.ts',
    'src/stores/events/event-address.ts',
    'src/stores/events/event-feed.ts',
    'src/stores/events/event-list.ts',
    'src/stores/events/event-loading.ts',
    'src/stores/home/no-camera.ts',
    'src/ui/use-media.ts',
  ],
  // These have users beside the list, who must not fetch it.
  subscriptions: [
    'contract/money.ts',
    'contract/plans.ts',
    'src/domain/user-services.ts',
    'src/stores/account/subscriptions.ts',
    'src/stores/storage/purchase-keys.ts',
  ],
  sliders: ['node_modules/lucide-react/dist/esm/icons/sliders-horizontal'],
  // Without a connection little is here that could say so.
  'failure-words': ['contract/error-codes.ts', 'src/stores/shell/failure-text.ts'],
  // What pages about plans, payment and coupons have in common, and what those have where something is bought.
  shop: [
    'contract/billing.ts',
    'contract/change-codes.ts',
    'contract/payment.ts',
    'contract/purchase.ts',
    'src/api/payment.ts',
    'contract/amounts.ts',
    'src/domain/payment-words.ts',
    'src/stores/account/services.ts',
    'src/stores/commerce/catalogue.ts',
    'src/stores/commerce/currency.ts',
    'src/stores/commerce/intents.ts',
    'src/stores/commerce/own.ts',
    'src/stores/commerce/payment-methods.ts',
    'src/stores/commerce/selected-payment.ts',
    'src/ui/CardMark.tsx',
    'src/ui/Choice.tsx',
    'src/ui/Field.tsx',
  ],
  checkout: [
    'src/domain/card-cart.ts',
    'src/domain/cart.ts',
    'src/domain/quote-words.ts',
    'src/domain/task-pace.ts',
    'src/stores/commerce/carts.ts',
    'src/stores/commerce/checkout-state.ts',
    'src/stores/commerce/checkout.ts',
    'src/stores/commerce/methods.ts',
    'src/stores/commerce/pay.ts',
    'src/stores/commerce/price.ts',
    'src/stores/commerce/target.ts',
    'src/stores/commerce/task.ts',
  ],
  // Of the list of events, and of what was bought and what a plan keeps.
  signs: ['check', 'film', 'cctv'].map((icon) => `node_modules/lucide-react/dist/esm/icons/${icon}.`),
  // The island with whatever it imports that is in no group above.
  events: ['src/islands/events/Events.tsx'],
}

const holds = (id: string, path: string): boolean => `/${id.replace('\0', '')}`.includes(`/${path}`)

/** The groups as the bundler wants them; a module goes to the first that names it. */
export const chunkGroups = Object.entries(GROUPS).map(([name, paths], index, all) => ({
  name,
  test: (id: string) => paths.some((path) => holds(id, path)),
  priority: all.length - index,
}))

/** The entries that no module of a build begins with. */
export const strayPaths = (ids: readonly string[]): string[] =>
  Object.values(GROUPS)
    .flat()
    .filter((path) => !ids.some((id) => holds(id, path)))

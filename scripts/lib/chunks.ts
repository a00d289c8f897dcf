/**
 * Groups modules into chunks by path, because many tiny chunks compress badly. Pages without an island load only the
 * chunks `base` to `flow`. The build fails if a path matches no module (astro.config.mjs).
 */
const CHUNK_PATHS: Readonly<Record<string, readonly string[]>> = {
  base: [
    'vite/preload-helper',
    'src/boot/page/leave-page.ts',
    'src/boot/page/follow-redirect-url.ts',
    'src/api/xsrf.ts',
    'src/domain/navigation/sign-in-pages.ts',
    'src/stores/storage/safe-storage.ts',
  ],
  // Public and protected pages share this chunk. Pages that only redirect do without it.
  page: ['src/boot/frame/drawer.ts', 'src/boot/page/remember-path.ts'],
  ask: ['src/api/http-transport.ts', 'src/api/current-user.ts', 'src/api/result.ts'],
  rescue: ['src/boot/page/error-screen.ts', 'src/domain/navigation/redirect-loop-guard.ts'],
  flow: ['src/boot/session/auth-request.ts', 'src/boot/session/sign-in.ts'],
  'signed-in': [
    'src/boot/telemetry/buffered-fetch.ts',
    'src/boot/telemetry/request-buffer.ts',
    'src/boot/telemetry/record-signed-in-requests.ts',
    'src/services/logged-fetch.ts',
    'node_modules/valibot/',
    'node_modules/nanostores/',
    'node_modules/@nanostores/persistent/',
    'contract/wire/call.ts',
    'contract/wire/constants.ts',
    'contract/cameras/devices.ts',
    'contract/wire/envelope.ts',
    'contract/events/events.ts',
    'contract/events/feed-and-review-calls.ts',
    'contract/auth/roles.ts',
    'contract/live/signaling.ts',
    'src/early/requests/events.ts',
    'src/early/requests/devices.ts',
    'src/api/api-client.ts',
    'src/early/early-fetch.ts',
    'src/api/token-refresh.ts',
    'src/api/server-failure.ts',
    'src/media/load-with-retry.ts',
    'src/boot/session/api-client.ts',
    'src/boot/page/when-idle.ts',
    'src/boot/session/watch-sign-out.ts',
    'src/boot/session/show-current-user.ts',
    'src/stores/session/connect-api-client.ts',
    'src/stores/home/devices.ts',
    'src/stores/home/feed.ts',
    'src/stores/shell/search-dialog.ts',
    'src/stores/storage/persistent-atoms.ts',
    'src/stores/storage/storage-keys.ts',
    'src/stores/session/refresh-timer.ts',
    'src/stores/session/session.ts',
  ],
  // This chunk loads when a page opens its feed.
  feed: ['contract/events/feed.ts', 'src/stores/home/feed-connection.ts'],
  brand: ['contract/brand.ts'],
  // Plan names and terms, shared by the plan pages and by dialogs of other pages.
  plans: ['contract/billing/plan-catalog.ts', 'contract/billing/skus.ts'],
  time: [
    'src/domain/time/clock-time.ts',
    'src/domain/copy/counts.ts',
    'src/domain/time/list-date-formats.ts',
    'src/domain/time/local-time.ts',
    'src/domain/chunk-list.ts',
  ],
  media: [
    'contract/live/live-calls.ts',
    'contract/live/relay-protocol.ts',
    'src/media/live/retry-delay.ts',
    'src/early/early-socket.ts',
    'src/early/requests/live.ts',
    'src/media/live/live-driver.ts',
    'src/media/live/live-view-element.ts',
    'src/media/live/transport-switch.ts',
    'src/media/live/tile-state-machine.ts',
    'src/stores/live/connection-results.ts',
    'src/stores/live/live-layout.ts',
    'src/stores/live/live-page.ts',
    'src/stores/live/load-tile-layout.ts',
    'src/stores/live/stream-tickets.ts',
    'src/stores/live/live-tiles.ts',
    'src/stores/live/today-events.ts',
  ],
  react: [
    'node_modules/react/',
    'node_modules/react-dom/',
    'node_modules/scheduler/',
    'node_modules/@nanostores/react/',
    'node_modules/@astrojs/react/',
    'src/ui/lazy-component.tsx',
    'src/ui/style-sheet.ts',
  ],
  // This chunk is separate because /live shows its first frames without icons, and without this hook.
  icons: [
    'src/ui/use-media.ts',
    'node_modules/lucide-react/dist/esm/Icon',
    'node_modules/lucide-react/dist/esm/context',
    'node_modules/lucide-react/dist/esm/createLucideIcon',
    'node_modules/lucide-react/dist/esm/shared/',
  ],
  live: [
    'src/islands/live/Live.tsx',
    'src/islands/live/parts/Grid.tsx',
    'src/islands/live/parts/StatusPills.tsx',
    'src/islands/live/parts/Tile.tsx',
    'src/islands/live/parts/lazy-tile-parts.ts',
    'src/islands/live/parts/lazy-parts.ts',
    'src/islands/live/parts/lazy-wall.ts',
    'src/islands/live/parts/Skeletons.tsx',
    'src/stores/live/open-camera-url.ts',
    'src/islands/live/parts/empty-camera-list.ts',
    'src/islands/live/parts/tile-labels.ts',
  ],
  // This chunk is separate because users can open any protected page with a coupon in its URL.
  coupon: ['src/domain/billing/coupon-code.ts', 'src/stores/billing/carried-coupon.ts'],
  // /live links to search, so it loads these modules without the event list.
  'event-rules': [
    'contract/events/event-tags.ts',
    'src/domain/events/event-recording.ts',
    'src/domain/time/date-range.ts',
    'src/domain/events/event-url.ts',
    'src/domain/events/event-filter.ts',
    'src/domain/copy/event-labels.ts',
    'src/domain/events/event-list.ts',
    'src/domain/events/event-types.ts',
    'src/stores/events/event-url.ts',
    'src/stores/events/apply-feed-message.ts',
    'src/stores/events/event-list.ts',
    'src/stores/events/load-event-span.ts',
    'src/stores/home/has-no-camera.ts',
  ],
  // The early cards of /events use these modules before React has loaded.
  'event-cards': [
    'src/islands/events/parts/early-list-state.ts',
    'src/islands/events/parts/event-list-markup.ts',
    'src/islands/events/parts/list-layout.ts',
    'src/domain/events/visits.ts',
    'src/stores/events/visits.ts',
    'src/stores/storage/visit-keys.ts',
  ],
  // Pages without the event list use these modules too. A separate chunk keeps these pages from loading the list.
  subscriptions: [
    'contract/billing/money.ts',
    'contract/billing/subscriptions.ts',
    'src/domain/billing/user-services.ts',
    'src/stores/billing/subscriptions.ts',
    'src/stores/storage/billing-keys.ts',
  ],
  sliders: ['node_modules/lucide-react/dist/esm/icons/sliders-horizontal'],
  // Without a connection, only code that is already loaded can show the failure.
  'failure-words': ['contract/wire/error-codes.ts', 'src/stores/shell/failure-text.ts'],
  // Pages about plans, payment and coupons share this chunk. Pages that sell plans also share `checkout`.
  shop: [
    'contract/billing/payment-methods-and-invoices.ts',
    'contract/billing/change-codes.ts',
    'contract/billing/payment-calls.ts',
    'contract/billing/purchase.ts',
    'src/api/card-page.ts',
    'contract/billing/amounts.ts',
    'src/domain/copy/payment-methods.ts',
    'src/stores/billing/license-assignments.ts',
    'src/stores/billing/plan-catalog.ts',
    'src/stores/billing/currency.ts',
    'src/stores/billing/idempotency-keys.ts',
    'src/stores/billing/current-plans.ts',
    'src/stores/billing/payment-methods.ts',
    'src/stores/billing/selected-payment-method.ts',
    'src/ui/CardMark.tsx',
    'src/ui/Choice.tsx',
    'src/ui/Field.tsx',
  ],
  checkout: [
    'src/domain/billing/purchase-cart.ts',
    'src/domain/billing/plan-cart.ts',
    'src/domain/copy/price-quote.ts',
    'src/domain/billing/task-poll-delay.ts',
    'src/stores/billing/carts.ts',
    'src/stores/billing/checkout-state.ts',
    'src/stores/billing/checkout.ts',
    'src/stores/billing/choose-payment-method.ts',
    'src/stores/billing/submit-purchase.ts',
    'src/stores/billing/price-quote.ts',
    'src/stores/billing/purchase-target.ts',
    'src/stores/billing/purchase-task.ts',
  ],
  // Shared by the event list and by the pages about purchases and about plan retention.
  signs: ['check', 'film', 'cctv'].map((icon) => `node_modules/lucide-react/dist/esm/icons/${icon}.`),
  // Contains the Events island and its imports that no group above names.
  events: ['src/islands/events/Events.tsx'],
}

const matchesPath = (id: string, path: string): boolean => `/${id.replace('\0', '')}`.includes(`/${path}`)

/** Chunk groups in the bundler's format; a module belongs to the first group that names it. */
export const chunkGroups = Object.entries(CHUNK_PATHS).map(([name, paths], index, all) => ({
  name,
  test: (id: string) => paths.some((path) => matchesPath(id, path)),
  priority: all.length - index,
}))

/** Returns the entries of `CHUNK_PATHS` that match none of a build's module ids. */
export const findUnmatchedPaths = (ids: readonly string[]): string[] =>
  Object.values(CHUNK_PATHS)
    .flat()
    .filter((path) => !ids.some((id) => matchesPath(id, path)))

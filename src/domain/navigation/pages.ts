import { PLAN_BRANDS } from '../../../contract/brand.ts'

export type Section = 'cameras' | 'events' | 'account'

/**
 * Flags of a page. They have no effect on a page whose path contains /live or /events: such a page always requires
 * sign-in and shows the header (LAYOUT-07, LAYOUT-08).
 */
export interface PageFlags {
  readonly requiresLogin?: boolean
  readonly hidesHeader?: boolean
}

/** Page of the portal. The prerendered documents, the edge and scripts/check-served.ts use this definition. */
export interface Page extends PageFlags {
  /** Path of the page, and name of its document. */
  readonly path: string
  readonly title: string
  /**
   * Other paths that show this page. A page whose `path` is equal to the requested path has precedence; if only
   * patterns match, the first matching page in `PAGES` wins.
   */
  readonly shownAt?: RegExp
  readonly movedFrom?: RegExp
  readonly section?: Section
  /** Navigation label of the page's section; set only on the page that the navigation opens. */
  readonly entry?: string
  /** Name of the page's tab in the account section. */
  readonly tab?: string
  /** Maximum JavaScript of the first load, KiB gzip. */
  readonly budget: number
}

export const GENERIC_TITLE = 'Web Portal'
/** Defaults of public pages. The small budget is sufficient, because these pages have no island. */
const PUBLIC_PAGE_DEFAULTS = { title: GENERIC_TITLE, budget: 3 }
const ACCOUNT_PAGE_DEFAULTS = { title: GENERIC_TITLE, section: 'account', requiresLogin: true, budget: 89 } as const

/** Page for every unknown path. Static hosting requires the path `/404` for it. */
export const NOT_FOUND_PAGE: Page = { path: '/404', ...PUBLIC_PAGE_DEFAULTS }

const PLAN_PAGES: readonly Page[] = Object.values(PLAN_BRANDS).flatMap(({ segment, title }) =>
  segment ? [{ ...ACCOUNT_PAGE_DEFAULTS, path: `/account/products/${segment}`, title }] : [],
)

/**
 * All pages except `NOT_FOUND_PAGE` (ROUTE-01 to ROUTE-25). If several patterns match a path, the first page in this
 * list wins.
 */
export const PAGES: readonly Page[] = [
  { path: '/purchase/hms', ...PUBLIC_PAGE_DEFAULTS, shownAt: /purchase\/hms/, hidesHeader: true },
  {
    path: '/events',
    title: 'Web Events',
    shownAt: /\/events/,
    section: 'events',
    entry: 'Events',
    requiresLogin: true,
    budget: 108,
  },
  {
    path: '/live',
    title: 'Web Live View',
    shownAt: /\/live/,
    section: 'cameras',
    entry: 'Cameras',
    requiresLogin: true,
    budget: 95,
  },
  { path: '/account', ...ACCOUNT_PAGE_DEFAULTS, tab: 'Overview' },
  { path: '/account/services', ...ACCOUNT_PAGE_DEFAULTS, entry: 'Account', tab: 'Services' },
  { path: '/account/services/cover', ...ACCOUNT_PAGE_DEFAULTS },
  { path: '/account/billing', ...ACCOUNT_PAGE_DEFAULTS, tab: 'Billing' },
  { path: '/account/billing/invoice', ...ACCOUNT_PAGE_DEFAULTS },
  { path: '/account/payment', ...ACCOUNT_PAGE_DEFAULTS, tab: 'Payment', shownAt: /\/payment/ },
  {
    path: '/account/products/choose',
    ...ACCOUNT_PAGE_DEFAULTS,
    tab: 'Plans',
    movedFrom: /^\/account\/products(\/|$)/,
  },
  { path: '/account/products/bought', ...ACCOUNT_PAGE_DEFAULTS },
  ...PLAN_PAGES,
  {
    path: '/account/redeem/choose',
    ...ACCOUNT_PAGE_DEFAULTS,
    title: 'Coupon Redeem',
    tab: 'Redeem',
    shownAt: /\/redeem/,
  },
  { path: '/account/people', ...ACCOUNT_PAGE_DEFAULTS, title: 'People', tab: 'People' },
  { path: '/account/activity', ...ACCOUNT_PAGE_DEFAULTS, title: 'Activity', tab: 'Activity' },
  { path: '/', ...PUBLIC_PAGE_DEFAULTS },
  { path: '/guides/cameras', ...PUBLIC_PAGE_DEFAULTS, title: 'Add a Camera' },
  { path: '/privacy', ...PUBLIC_PAGE_DEFAULTS, title: 'Privacy' },
  { path: '/user/login', ...PUBLIC_PAGE_DEFAULTS, budget: 3.1 },
  { path: '/user/logout', ...PUBLIC_PAGE_DEFAULTS },
  { path: '/user/redirect', ...PUBLIC_PAGE_DEFAULTS },
  { path: '/user/callback', ...PUBLIC_PAGE_DEFAULTS, budget: 3.1 },
]

/** Returns the page of a path; `NOT_FOUND_PAGE` for an unknown path. */
export function findPage(path: string): Page {
  return PAGES.find((page) => page.path === path) ?? PAGES.find(({ shownAt }) => shownAt?.test(path)) ?? NOT_FOUND_PAGE
}

/** Response of the edge to a path that is not a file: a prerendered page to serve, or a redirect. */
export type PageResolution = { readonly serve: string } | { readonly go: string }

/** Returns the edge's response for `path`: a page, a redirect for an old path, or null for an unknown path. */
export function resolvePagePath(path: string): PageResolution | null {
  const page = findPage(path)
  if (page !== NOT_FOUND_PAGE) return { serve: page.path }
  const moved = PAGES.find(({ movedFrom }) => movedFrom?.test(path))
  return moved ? { go: moved.path } : null
}

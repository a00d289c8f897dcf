import { PLAN_BRANDS } from '../../../contract/brand.ts'

export type Section = 'cameras' | 'events' | 'account'

/** Flags of a page; paths containing /live or /events override them (LAYOUT-07, LAYOUT-08). */
export interface PageFlags {
  readonly requiresLogin?: boolean
  readonly hidesHeader?: boolean
}

/** Page of the portal. Single source for documents, edge and checks. */
export interface Page extends PageFlags {
  /** Path of the page and name of its document. */
  readonly path: string
  readonly title: string
  /** Other paths that show this page; the first matching row wins. */
  readonly shownAt?: RegExp
  /** Old paths that redirect to this page. */
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
/** Public pages run no island. */
const PUBLIC = { title: GENERIC_TITLE, budget: 3 }
const ACCOUNT = { title: GENERIC_TITLE, section: 'account', requiresLogin: true, budget: 90 } as const

/** Shown for every unknown path; static hosting requires its own path. */
export const GENERIC_PAGE: Page = { path: '/404', ...PUBLIC }

const PLAN_PAGES: readonly Page[] = Object.values(PLAN_BRANDS).flatMap(({ segment, title }) =>
  segment ? [{ ...ACCOUNT, path: `/account/products/${segment}`, title }] : [],
)

/**
 * All pages except the generic one (ROUTE-01 to ROUTE-25). If several patterns match a path, the first page in this
 * list wins.
 */
export const PAGES: readonly Page[] = [
  { path: '/purchase/hms', ...PUBLIC, shownAt: /purchase\/hms/, hidesHeader: true },
  {
    path: '/events',
    title: 'Web Events',
    shownAt: /\/events/,
    section: 'events',
    entry: 'Events',
    requiresLogin: true,
    budget: 105,
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
  { path: '/account', ...ACCOUNT, tab: 'Overview' },
  { path: '/account/services', ...ACCOUNT, entry: 'Account', tab: 'Services' },
  { path: '/account/services/cover', ...ACCOUNT },
  { path: '/account/billing', ...ACCOUNT, tab: 'Billing' },
  { path: '/account/billing/invoice', ...ACCOUNT },
  { path: '/account/payment', ...ACCOUNT, tab: 'Payment', shownAt: /\/payment/ },
  {
    path: '/account/products/choose',
    ...ACCOUNT,
    tab: 'Plans',
    movedFrom: /^\/account\/products(\/|$)/,
  },
  { path: '/account/products/bought', ...ACCOUNT },
  ...PLAN_PAGES,
  {
    path: '/account/redeem/choose',
    ...ACCOUNT,
    title: 'Coupon Redeem',
    tab: 'Redeem',
    shownAt: /\/redeem/,
  },
  { path: '/account/people', ...ACCOUNT, title: 'People', tab: 'People' },
  { path: '/account/activity', ...ACCOUNT, title: 'Activity', tab: 'Activity' },
  { path: '/', ...PUBLIC },
  { path: '/guides/cameras', ...PUBLIC, title: 'Add a Camera' },
  { path: '/privacy', ...PUBLIC, title: 'Privacy' },
  { path: '/user/login', ...PUBLIC },
  { path: '/user/logout', ...PUBLIC },
  { path: '/user/redirect', ...PUBLIC },
  { path: '/user/callback', ...PUBLIC },
]

/** Returns the page of a path, or the generic page. */
export function pageAt(path: string): Page {
  return PAGES.find((page) => page.path === path) ?? PAGES.find(({ shownAt }) => shownAt?.test(path)) ?? GENERIC_PAGE
}

/** Response of the edge to a path that is not a file: a prerendered page to serve, or a redirect. */
export type PageAnswer = { readonly serve: string } | { readonly go: string }

/** Returns the response for `path`; null for the generic page. */
export function pageBehind(path: string): PageAnswer | null {
  const page = pageAt(path)
  if (page !== GENERIC_PAGE) return { serve: page.path }
  const moved = PAGES.find(({ movedFrom }) => movedFrom?.test(path))
  return moved ? { go: moved.path } : null
}

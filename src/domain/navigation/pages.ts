import { PLAN_BRANDS } from '../../../contract/brand.ts'

/** The sections of the top navigation. */
export type Section = 'cameras' | 'events' | 'account'

/** What a page says of itself; paths containing /live or /events overrule it (LAYOUT-07, LAYOUT-08). */
export interface PageFlags {
  readonly requiresLogin?: boolean
  readonly hidesHeader?: boolean
}

/** One page of the portal. Whatever is true of a page is said here once: documents, edge and checks read it. */
export interface Page extends PageFlags {
  /** Its address. The document that is built for it has the same name. */
  readonly path: string
  readonly title: string
  /** Other addresses that show this page; of two rows that match the first one counts. */
  readonly shownAt?: RegExp
  /** Other addresses that lead to this page. */
  readonly movedFrom?: RegExp
  readonly section?: Section
  /** The section's name where the page is its entry. */
  readonly entry?: string
  /** Its name among the parts of the account section. */
  readonly tab?: string
  /** JavaScript of the first load, KiB gzip at most. */
  readonly budget: number
}

export const GENERIC_TITLE = 'Web Portal'
/** Pages for everybody run no island. */
const PUBLIC = { title: GENERIC_TITLE, budget: 3 }
const ACCOUNT = { title: GENERIC_TITLE, section: 'account', requiresLogin: true, budget: 90 } as const

/** Shown at every address that is no other page's; its own address is the name that static hosting knows it by. */
export const GENERIC_PAGE: Page = { path: '/404', ...PUBLIC }

const PLAN_PAGES: readonly Page[] = Object.values(PLAN_BRANDS).flatMap(({ segment, title }) =>
  segment ? [{ ...ACCOUNT, path: `/account/products/${segment}`, title }] : [],
)

/** All pages but the generic one (ROUTE-01 to ROUTE-25). Addresses "containing" a word are tried from the top. */
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

/** The page that a path shows, the generic one where there is none. */
export function pageAt(path: string): Page {
  return PAGES.find((page) => page.path === path) ?? PAGES.find(({ shownAt }) => shownAt?.test(path)) ?? GENERIC_PAGE
}

/** What the edge does with an address that is no file: serve one of the prerendered pages, or go to another address. */
export type PageAnswer = { readonly serve: string } | { readonly go: string }

/** The page that stands behind `path`; null for the generic one. */
export function pageBehind(path: string): PageAnswer | null {
  const page = pageAt(path)
  if (page !== GENERIC_PAGE) return { serve: page.path }
  const moved = PAGES.find(({ movedFrom }) => movedFrom?.test(path))
  return moved ? { go: moved.path } : null
}

import type { Sku } from './billing/skus.ts'

/**
 * Everything that a white-label edition changes. Portal and provider include these constants at build time. Each value
 * is its own constant, so that a page bundle contains only the values that the page uses.
 */
export const BRAND_NAME = 'Porchlight'

/**
 * Default of `OWN_DOMAIN` in a local deployment; elsewhere, the default is the portal's hostname. Redirects to
 * `OWN_DOMAIN` and its subdomains are allowed.
 */
export const BRAND_DOMAIN = 'portal.example'

export const SUPPORT_ADDRESS = 'support@portal.example'

/** Seller on invoices. A deployment can override it (`SELLER_NAME`, `SELLER_ADDRESS`, `SELLER_TAX_ID`). */
export const SELLER = {
  name: 'Porchlight Home, Inc.',
  address: ['200 Lantern Street', 'Portland, OR 97205', 'United States'],
  tax_id: '00-0000000',
} as const

/** Names of the plans, their path segments under `/account/products/`, and the titles of these pages. */
export const PLAN_BRANDS = {
  free: { name: 'Free', segment: null, title: null },
  'cam-ai': { name: 'Camera AI', segment: 'camera-ai', title: 'Camera AI Plan' },
  unlimited: { name: 'Unlimited Cameras', segment: 'unlimited', title: 'Unlimited Cameras Plan' },
  pro: { name: 'Unlimited Pro', segment: null, title: null },
  hms: { name: 'Home Monitoring', segment: 'home-monitoring', title: 'Home Monitoring Service' },
} as const satisfies Readonly<Record<Sku, { name: string; segment: string | null; title: string | null }>>

/** True if the plan `pro` is on sale. If not, people can join a waiting list (contract/account/t3-list.ts). */
export const IS_PRO_ON_SALE = true

interface ServiceDescription {
  /** `does`: sentences about what the service does. `needs`: sentences about what a home needs for the service. */
  readonly does: string
  readonly needs: string
}

/**
 * The brand's home monitoring service. If null, a real payment gateway sells no such service, and the embedded gateway
 * sells a sample product with `SAMPLE_NOTE`.
 */
export const HOME_MONITORING: ServiceDescription | null = null
export const SAMPLE_NOTE = 'Sample product: no one monitors your home.'

/**
 * Colors by theme. `primary`: actions; `secondary`: confirmations; both carry white text. Suffixes: `ink` for text,
 * `soft` for backgrounds, `line` for borders.
 */
export const BRAND_COLORS = {
  light: {
    page: '#fbf8f4',
    primary: '#6a3fd0',
    'primary-hover': '#5730b4',
    'primary-soft': '#f0eafd',
    'primary-line': '#d9cbf8',
    'primary-ink': '#5530ae',
    secondary: '#1b7a53',
    'secondary-soft': '#e3f4ea',
    'secondary-line': '#bde3cd',
    'secondary-ink': '#146042',
  },
  dark: {
    page: '#15101c',
    primary: '#7a52dc',
    'primary-hover': '#6a3fd0',
    'primary-soft': '#33264f',
    'primary-line': '#5c4492',
    'primary-ink': '#cdbbff',
    secondary: '#218059',
    'secondary-soft': '#173a2c',
    'secondary-line': '#265a44',
    'secondary-ink': '#7ce0b2',
  },
} as const

/** Width and height of the logo in SVG units. The functions below return the logo's gradient and shape as SVG text. */
export const LOGO_SIZE = 32
export const createLogoGlow = (id: string) =>
  `<radialGradient id="${id}" cx=".5" cy=".46" r=".62"><stop offset="0" stop-color="#FFD98F"/><stop offset=".38" stop-color="#F2A63B" stop-opacity=".62"/><stop offset="1" stop-color="#F2A63B" stop-opacity="0"/></radialGradient>`
export const createLogoShape = (glow: string) =>
  `<path d="M14.1 3.1a3 3 0 0 1 3.8 0l9.2 7.5A5 5 0 0 1 29 14.5V24a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5v-9.5a5 5 0 0 1 1.9-3.9z" fill="${BRAND_COLORS.light.primary}"/><circle cx="16" cy="17" r="11" fill="url(#${glow})"/><circle cx="16" cy="16.5" r="4.3" fill="#FFF3D6"/>`

/**
 * Returns the logo as an SVG file, for page icons and the provider. It is a function so that page bundles do not
 * contain the text.
 */
export const createLogoFile = () =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${LOGO_SIZE}" height="${LOGO_SIZE}" viewBox="0 0 ${LOGO_SIZE} ${LOGO_SIZE}"><defs>${createLogoGlow('glow')}</defs>${createLogoShape('glow')}</svg>`

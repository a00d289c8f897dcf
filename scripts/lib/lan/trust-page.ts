import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { BRAND_COLORS, BRAND_NAME, createLogoFile } from '../../../contract/brand.ts'
import { formatFingerprint } from './certificate-authority.ts'
import { CERTIFICATE_FILE, findTrustGuide, TRUST_GUIDES, type TrustGuide } from './trust-guides.ts'
import { TRUST_ICONS, TRUST_STYLE } from './trust-style.ts'

/** Content of the certificate page. */
export interface TrustPageContent {
  readonly certificate: X509Certificate
  /** Host of the origins, and DNS names that the certificate authority may sign for. */
  readonly host: string
  readonly names: readonly string[]
  readonly addresses: readonly string[]
  readonly portalOrigin: string
  /** Style sheet that loads only if the device trusts the certificate; it marks the next step. */
  readonly trustedStyleUrl: string
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const formatText = (text: string): string => escapeHtml(text).replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
const renderIcon = (name: keyof typeof TRUST_ICONS): string =>
  `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${TRUST_ICONS[name]}</svg>`

/**
 * Renders the page that explains how a device trusts the hub's certificate. Works without script. `userAgent` selects
 * the open instructions, and `languages` (`Accept-Language`) the date format.
 */
export function renderTrustPage(content: TrustPageContent, userAgent: string, languages = ''): string {
  const guide = findTrustGuide(userAgent)
  const device = /iPhone|Android/.test(userAgent) ? 'phone' : guide?.id === 'ios' ? 'iPad' : 'computer'
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Trust your hub – ${BRAND_NAME}</title><link rel="icon" href="/logo.svg"><style>${TRUST_STYLE}</style></head>
<body><header><a class="brand" href="${content.portalOrigin}/">${createLogoFile()}<span>${BRAND_NAME}</span></a><span class="place">${renderIcon('home')}Your home network</span></header>
<main><h1>Trust your hub on this ${device}</h1>
<p class="lead">Your hub makes its own certificate, so browsers warn about it. Add it once to remove the warning.</p>
${renderFingerprint(content.certificate)}
${renderGuides(guide)}
<p class="note">${renderIcon('info')}<span>${renderScope(content)}</span></p>
<a class="button next" href="${content.portalOrigin}/"><span><span class="todo">Done? </span>Open ${BRAND_NAME}</span>${renderIcon('arrow')}</a>
<p class="foot">${escapeHtml(content.portalOrigin)} · expires ${formatDate(content.certificate.validTo, languages)}</p>
</main><link rel="stylesheet" href="${content.trustedStyleUrl}"></body></html>`
}

function renderFingerprint(certificate: X509Certificate): string {
  const groups = formatFingerprint(certificate).map((group) => `<span>${group}</span>`)
  return `<section><div class="head"><span class="badge good">${renderIcon('fingerprint')}</span><div><h2>Compare this code first</h2><p>Your hub shows the same one.</p></div></div>
<p class="code">${groups.join(' ')}</p>
<p class="warning">${renderIcon('warning')}<span><b>Different?</b> Stop here. Another device may be answering for your hub.</span></p></section>`
}

/** The device's own guide is open; the others are folded. */
function renderGuides(own: TrustGuide | null): string {
  const download = `<a class="button download" href="/${CERTIFICATE_FILE}">${renderIcon('download')}Download certificate</a>`
  const others = TRUST_GUIDES.filter((guide) => guide !== own)
  const first =
    own === null
      ? `<section>${download}</section>`
      : `<section><div class="head"><span class="badge">${renderIcon(own.id)}</span><div><h2>${own.name}</h2><p>Detected${own.id === 'ios' ? ' · about 2 minutes' : ''}</p></div></div>${download}${renderSteps(own)}</section>`
  const folded = others.map(
    (guide) =>
      `<details><summary>${renderIcon(guide.id)}<span class="grow"><b>${guide.name}</b><span>${guide.summary}</span></span>${renderIcon('chevron')}</summary>${renderSteps(guide)}</details>`,
  )
  return `${first}\n<section class="others">${folded.join('')}</section>`
}

const renderSteps = ({ steps }: TrustGuide): string =>
  `<ol>${steps.map(({ title, text }) => `<li><div><h3>${title}</h3><p>${formatText(text)}</p></div></li>`).join('')}</ol>`

function renderScope({ host, names, addresses }: TrustPageContent): string {
  const name = isIP(host) === 0 ? host : names.find((text) => text.endsWith('.local'))
  const address = isIP(host) === 0 ? addresses[0] : host
  const scope = [
    ...(name === undefined ? [] : [`<b>${escapeHtml(name)}</b>`]),
    address === undefined ? 'private addresses' : `private addresses such as <b>${escapeHtml(address)}</b>`,
  ]
  return `The certificate is valid only for ${scope.join(' and ')}. You can remove it in the same place at any time.`
}

function formatDate(date: string, languages: string): string {
  const [language = ''] = languages.split(/[,;]/)
  const options = { dateStyle: 'long' } as const
  try {
    return new Intl.DateTimeFormat(language.trim() || 'en-US', options).format(new Date(date))
  } catch {
    return new Intl.DateTimeFormat('en-US', options).format(new Date(date))
  }
}

export const TRUSTED_STYLE = `.next{background:${BRAND_COLORS.light.primary}!important;border-color:transparent!important;color:#fff!important}.download{background:var(--surface)!important;border-color:var(--line)!important;color:var(--ink)!important;box-shadow:none!important}.todo{display:none}`

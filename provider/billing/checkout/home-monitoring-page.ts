import { formatMoney } from '../../../contract/billing/amounts.ts'
import { html } from 'hono/html'
import { BRAND_NAME, HOME_MONITORING, PLAN_BRANDS, SAMPLE_NOTE } from '../../../contract/brand.ts'
import { getPlan, type Plan } from '../../../contract/billing/plan-catalog.ts'
import { providerPage } from '../../identity/pages/page-layout.ts'

const renderPrice = ({ monthlyCents, annualCents }: Plan) =>
  html`<p class="price">
    <strong>${formatMoney(monthlyCents)}</strong> a month, or <strong>${formatMoney(annualCents)}</strong> a year
  </p>`

/**
 * Renders the page at `/purchase/hms` (OPEN-162): the service, its price, and a link to buy the service. If the service
 * is not on sale, the page only says so and links to the plans.
 */
export function renderHomeMonitoringPage(portalOrigin: string, isOnSale: boolean): string {
  const { name, segment } = PLAN_BRANDS.hms
  return providerPage(
    name,
    isOnSale
      ? html`<h1>${name}</h1>
          ${renderDescription()} ${renderPrice(getPlan('hms'))}
          <p class="hint">Per home, before tax. Your camera plan stays the same and is billed separately.</p>
          <a class="primary" href="${portalOrigin}/account/products/${segment}">View in ${BRAND_NAME}</a>`
      : html`<h1>${name}</h1>
          <p class="lead">This plan isn’t available here.</p>
          <a class="primary" href="${portalOrigin}/account/products/choose">See all plans</a>`,
  )
}

const renderDescription = () =>
  HOME_MONITORING === null
    ? html`<p class="lead">${SAMPLE_NOTE}</p>`
    : html`<p class="lead">${HOME_MONITORING.does}</p>
        <p>${HOME_MONITORING.needs}</p>`

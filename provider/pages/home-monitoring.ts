import { inMoney } from '../../contract/amounts.ts'
import { html } from 'hono/html'
import { BRAND_NAME, PLAN_BRANDS } from '../../contract/brand.ts'
import { planOf, type Plan } from '../../contract/catalogue.ts'
import { page } from '../identity/page.ts'

const price = ({ monthlyCents, annualCents }: Plan) =>
  html`<p class="price">
    <strong>${inMoney(monthlyCents)}</strong> a month, or <strong>${inMoney(annualCents)}</strong> a year
  </p>`

/** Where `/purchase/hms` leaves for (OPEN-162): what Home Monitoring is, what it costs, and on to its page in the portal. */
export function homeMonitoringPage(portalOrigin: string): string {
  return page(
    PLAN_BRANDS.hms.name,
    html`<h1>${PLAN_BRANDS.hms.name}</h1>
      <p class="lead">
        A service for the whole home, beside your camera plan. One is enough, however many cameras you have.
      </p>
      ${price(planOf('hms'))}
      <p class="hint">Per home, before tax. Your camera plan stays as it is and is paid for on its own.</p>
      <p class="note">It cannot be ordered yet. Nothing is charged by coming here.</p>
      <a class="primary" href="${portalOrigin}/account/products/${PLAN_BRANDS.hms.segment}"
        >See it in ${BRAND_NAME}</a
      >`,
  )
}

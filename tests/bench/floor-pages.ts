import { type Call, formatGatewayPath } from '../../contract/wire/call.ts'
import { formatAmount } from '../../contract/billing/amounts.ts'
import { previewPurchase } from '../../contract/billing/purchase.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { getHomeDevices } from '../../contract/cameras/devices.ts'
import { DEFAULT_ENVIRONMENT } from '../../contract/environment.ts'
import { quoteInput } from '../../src/early/plan-selection.ts'
import { BILLING_KEYS } from '../../src/stores/storage/billing-keys.ts'
import { eventsRequest } from '../../src/early/requests/events.ts'
import { devicesInput } from '../../src/early/requests/devices.ts'

/**
 * A baseline page sends the main request of a real page with one small script and prints the response. It has no
 * styles, layout or React. If a real page takes longer, the difference is the portal's own cost.
 */

/** Attribute of the elements that a baseline page prints. */
export const BASELINE_CARD_ATTRIBUTE = 'data-floor'

/** Plan page whose price is measured. */
export const PLAN_PATH = '/account/products/camera-ai?period=monthly'

const PLAN_CHOICE = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
/** JavaScript expression: the fields that name the plan to change, from the subscriptions that the browser stores. */
const OWN_PLAN_FIELDS = `JSON.parse(localStorage.getItem('${BILLING_KEYS.allSubs}') ?? '[]')
  .filter(({ running, channel, sku }) => running && channel === 'web' && ['cam-ai', 'unlimited', 'pro'].includes(sku))
  .map(({ subscription_id, revision }) => ({ subscription_id, revision }))[0]`

/** Returns the HTML of each baseline page by its path. */
export function buildBaselinePages(): Readonly<Record<string, string>> {
  const cameraQuery = devicesInput({ environment: DEFAULT_ENVIRONMENT, homeId: '' })
  const now = new Date()
  const today = eventsRequest({ begin: new Date(now).setHours(0, 0, 0, 0), end: now.setHours(23, 59, 59, 999) }, false)
  const price = quoteInput({ ...PLAN_CHOICE, coupon: '', trial: false, own: null })
  const format = `(${formatAmount.toString()})(data.due, data.currency)`
  return {
    '/floor/live': buildBaselinePage(getHomeDevices, cameraQuery, 'data.device_list.map(({ nickname }) => nickname)'),
    '/floor/events': buildBaselinePage(today.call, today.input, 'data.event_list.map(({ title }) => title)'),
    [`/floor${PLAN_PATH}`]: buildBaselinePage(previewPurchase, price, `[${format}]`, OWN_PLAN_FIELDS),
  }
}

/**
 * `lines`: JavaScript expression for the printed texts; it can use the response's `data`. `fields`: expression for
 * further fields of the request.
 */
function buildBaselinePage(call: Call, input: object, lines: string, fields = '{}'): string {
  const script = `
    const token = /(?:^|; )${XSRF_COOKIE}=([^;]+)/.exec(document.cookie)?.[1] ?? ''
    const headers = { accept: 'application/json', 'content-type': 'application/json', '${XSRF_HEADER}': decodeURIComponent(token) }
    fetch('${formatGatewayPath(call)}', { method: 'POST', headers, body: JSON.stringify({ ...${JSON.stringify(input)}, ...${fields} }) })
      .then((answer) => answer.json())
      .then(({ data }) => {
        for (const text of ${lines}.slice(0, 12)) {
          const line = document.createElement('p')
          line.setAttribute('${BASELINE_CARD_ATTRIBUTE}', '')
          line.textContent = text
          document.body.append(line)
        }
      })`
  const viewport = '<meta name="viewport" content="width=device-width">'
  return `<!doctype html><html lang="en"><title>Floor</title>${viewport}<body><script>${script}</script></body></html>`
}

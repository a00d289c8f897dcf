import { type Call, formatGatewayPath } from '../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { getHomeDevices } from '../../contract/cameras/devices.ts'
import { DEFAULT_ENVIRONMENT } from '../../contract/environment.ts'
import { eventsRequest } from '../../src/early/requests/events.ts'
import { devicesInput } from '../../src/early/requests/devices.ts'

/**
 * A baseline page sends the main request of a real page with one small script and prints the response. It has no
 * styles, layout or React. If a real page takes longer, the difference is the portal's own cost.
 */

/** Attribute of the elements that a baseline page prints. */
export const BASELINE_CARD_ATTRIBUTE = 'data-floor'

/** Returns the HTML of each baseline page by its path. */
export function buildBaselinePages(): Readonly<Record<string, string>> {
  const cameraQuery = devicesInput({ environment: DEFAULT_ENVIRONMENT, homeId: '' })
  const now = new Date()
  const today = eventsRequest({ begin: new Date(now).setHours(0, 0, 0, 0), end: now.setHours(23, 59, 59, 999) }, false)
  return {
    '/floor/live': buildBaselinePage(getHomeDevices, cameraQuery, 'device_list', 'nickname'),
    '/floor/events': buildBaselinePage(today.call, today.input, 'event_list', 'title'),
  }
}

function buildBaselinePage(call: Call, input: object, listField: string, nameField: string): string {
  const script = `
    const token = /(?:^|; )${XSRF_COOKIE}=([^;]+)/.exec(document.cookie)?.[1] ?? ''
    const headers = { accept: 'application/json', 'content-type': 'application/json', '${XSRF_HEADER}': decodeURIComponent(token) }
    fetch('${formatGatewayPath(call)}', { method: 'POST', headers, body: ${JSON.stringify(JSON.stringify(input))} })
      .then((answer) => answer.json())
      .then(({ data }) => {
        for (const one of data.${listField}.slice(0, 12)) {
          const line = document.createElement('p')
          line.setAttribute('${BASELINE_CARD_ATTRIBUTE}', '')
          line.textContent = one.${nameField}
          document.body.append(line)
        }
      })`
  const viewport = '<meta name="viewport" content="width=device-width">'
  return `<!doctype html><html lang="en"><title>Floor</title>${viewport}<body><script>${script}</script></body></html>`
}

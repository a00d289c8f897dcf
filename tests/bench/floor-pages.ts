import { type Call, gatewayPath } from '../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { getHomeDevices } from '../../contract/cameras/devices.ts'
import { DEFAULT_ENVIRONMENT } from '../../contract/environment.ts'
import { eventsRequest } from '../../src/early/requests/events.ts'
import { devicesInput } from '../../src/early/requests/live.ts'

/**
 * Floor pages: a document with one small script that sends the page's main request and prints the response, without
 * styles, frame or React. The difference to the real page is the portal's own cost.
 */

/** Attribute of the elements that a floor page prints. */
export const FLOOR_CARD = 'data-floor'

/** Returns the HTML of each floor page by its path. */
export function floorPages(): Readonly<Record<string, string>> {
  const cameras = devicesInput({ environment: DEFAULT_ENVIRONMENT, homeId: '' })
  const now = new Date()
  const today = eventsRequest({ begin: new Date(now).setHours(0, 0, 0, 0), end: now.setHours(23, 59, 59, 999) }, false)
  return {
    '/floor/live': askingPage(getHomeDevices, cameras, 'device_list', 'nickname'),
    '/floor/events': askingPage(today.call, today.input, 'event_list', 'title'),
  }
}

function askingPage(call: Call, input: object, list: string, name: string): string {
  const script = `
    const token = /(?:^|; )${XSRF_COOKIE}=([^;]+)/.exec(document.cookie)?.[1] ?? ''
    const headers = { accept: 'application/json', 'content-type': 'application/json', '${XSRF_HEADER}': decodeURIComponent(token) }
    fetch('${gatewayPath(call)}', { method: 'POST', headers, body: ${JSON.stringify(JSON.stringify(input))} })
      .then((answer) => answer.json())
      .then(({ data }) => {
        for (const one of data.${list}.slice(0, 12)) {
          const line = document.createElement('p')
          line.setAttribute('${FLOOR_CARD}', '')
          line.textContent = one.${name}
          document.body.append(line)
        }
      })`
  const viewport = '<meta name="viewport" content="width=device-width">'
  return `<!doctype html><html lang="en"><title>Floor</title>${viewport}<body><script>${script}</script></body></html>`
}

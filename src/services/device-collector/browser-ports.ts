import type { CollectorPorts, TextStorage } from './collector-ports.ts'

/** Creates the collector's ports from the browser APIs of this page. `whenIdle`: calls a task when the page is idle. */
export const createBrowserPorts = (
  local: TextStorage,
  tab: TextStorage,
  whenIdle: CollectorPorts['whenIdle'],
): CollectorPorts => ({
  fetch: (...args) => fetch(...args),
  localStorage: local,
  tabStorage: tab,
  cookie: { read: () => document.cookie, write: (text) => void (document.cookie = text) },
  isSecure: location.protocol === 'https:',
  now: () => Date.now(),
  randomId: () => crypto.randomUUID().replaceAll('-', ''),
  openFrame,
  whenIdle,
  listen(onMessage) {
    if (!('postMessage' in window)) return null
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  },
  onPageHide: (task) => addEventListener('pagehide', task),
  sendBeacon: (url, form) => void navigator.sendBeacon?.(url, form),
  findForm: (id) => document.querySelector(`form#${CSS.escape(id)}`),
  debug: (sentence) => console.debug(sentence),
})

function openFrame(src: string): () => void {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
  frame.setAttribute('aria-hidden', 'true')
  Object.assign(frame, { src, title: '', tabIndex: -1, width: '1', height: '1' })
  // Uses `visibility` instead of `hidden`: without layout, Firefox answers no media queries about the device's
  // preferences.
  Object.assign(frame.style, { position: 'fixed', bottom: '0', left: '0', border: '0', visibility: 'hidden' })
  document.body.append(frame)
  return () => frame.remove()
}

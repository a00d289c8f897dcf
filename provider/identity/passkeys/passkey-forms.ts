import { html, raw } from 'hono/html'
import { KEY_ICON, PROBLEM_ICON } from '../two-factor/page-elements.ts'
import { PASSKEY_SCRIPT_PATH } from './browser-script.ts'

export interface PasskeyRequest {
  readonly ticket: string
  readonly options: object
}

const problemText = html`<p class="problem" role="alert" hidden>${PROBLEM_ICON}<span></span></p>`

/**
 * Returns the attributes of a form that the passkey script displays and fills. The form stays hidden without the
 * script.
 */
const passkeyFormAttributes = (ceremony: 'create' | 'get', { options }: PasskeyRequest) =>
  html`method="post" data-ceremony="${ceremony}" data-passkey="${JSON.stringify(options)}" hidden`

const hiddenFields = ({ ticket }: PasskeyRequest) =>
  html`<input type="hidden" name="passkey" value="${ticket}" /><input type="hidden" name="credential" />`

const scriptTag = raw(`<script src="${PASSKEY_SCRIPT_PATH}" defer></script>`)

export function passkeySignInForm(action: string, request: PasskeyRequest) {
  return html`<form class="other" action="${action}" ${passkeyFormAttributes('get', request)}>
      ${problemText}${hiddenFields(request)}<button class="secondary">${KEY_ICON}Use a passkey</button>
    </form>
    ${scriptTag}`
}

export function passkeySetupForm(action: string, request: PasskeyRequest, content: ReturnType<typeof html>) {
  return html`<form action="${action}" ${passkeyFormAttributes('create', request)}>
      ${problemText}${hiddenFields(request)}${content}
      <button class="primary">Create passkey</button>
    </form>
    <p class="hint" data-unable>This browser can’t create passkeys. Open this page in another browser.</p>
    ${scriptTag}`
}

import { html, raw } from 'hono/html'
import { KEY_ICON } from '../two-factor/page-elements.ts'
import { PASSKEY_SCRIPT_PATH } from './browser-script.ts'

export interface PasskeyAsk {
  readonly ticket: string
  readonly options: object
}

const problemText = html`<p class="problem" role="alert" hidden></p>`

/** Attributes of a form that the passkey script fills and displays. Without the script, the form stays hidden. */
const filled = (ceremony: 'create' | 'get', { options }: PasskeyAsk) =>
  html`method="post" data-ceremony="${ceremony}" data-passkey="${JSON.stringify(options)}" hidden`

const fields = ({ ticket }: PasskeyAsk) =>
  html`<input type="hidden" name="passkey" value="${ticket}" /><input type="hidden" name="credential" />`

const script = raw(`<script src="${PASSKEY_SCRIPT_PATH}" defer></script>`)

export function signInByPasskeyForm(action: string, ask: PasskeyAsk) {
  return html`<form class="other" action="${action}" ${filled('get', ask)}>
      ${problemText}${fields(ask)}<button class="secondary">${KEY_ICON}Use a passkey</button>
    </form>
    ${script}`
}

export function makePasskeyForm(action: string, ask: PasskeyAsk, content: ReturnType<typeof html>) {
  return html`<form action="${action}" ${filled('create', ask)}>
      ${problemText}${fields(ask)}${content}
      <button class="primary">Make the passkey</button>
    </form>
    <p class="hint" data-unable>This browser cannot make a passkey. Open this page in another one.</p>
    ${script}`
}

import { html, raw } from 'hono/html'
import { KEY_ICON } from '../two-factor/page-elements.ts'
import { SCRIPT_PATH } from './browser-script.ts'

/** What a page asks a passkey for: options of the browser's ceremony, and the ticket of their challenge. */
export interface PasskeyAsk {
  readonly ticket: string
  readonly options: object
}

/** What the script says when a ceremony does not come to its end. */
const problemText = html`<p class="problem" role="alert" hidden></p>`

/** Attributes of a form that the script fills and shows; without script it stays hidden. */
const filled = (ceremony: 'create' | 'get', { options }: PasskeyAsk) =>
  html`method="post" data-ceremony="${ceremony}" data-passkey="${JSON.stringify(options)}" hidden`

const fields = ({ ticket }: PasskeyAsk) =>
  html`<input type="hidden" name="passkey" value="${ticket}" /><input type="hidden" name="credential" />`

const script = raw(`<script src="${SCRIPT_PATH}" defer></script>`)

/** The form of a sign-in page by which a passkey signs in; `action` is the path it posts to. */
export function signInByPasskeyForm(action: string, ask: PasskeyAsk) {
  return html`<form class="other" action="${action}" ${filled('get', ask)}>
      ${problemText}${fields(ask)}<button class="secondary">${KEY_ICON}Use a passkey</button>
    </form>
    ${script}`
}

/** The form that makes a passkey, with `content` between what is said and its button. */
export function makePasskeyForm(action: string, ask: PasskeyAsk, content: ReturnType<typeof html>) {
  return html`<form action="${action}" ${filled('create', ask)}>
      ${problemText}${fields(ask)}${content}
      <button class="primary">Make the passkey</button>
    </form>
    <p class="hint" data-unable>This browser cannot make a passkey. Open this page in another one.</p>
    ${script}`
}

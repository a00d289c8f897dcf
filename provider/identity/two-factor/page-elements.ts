import { html, raw } from 'hono/html'
import { createQrPath } from '../../platform/qr-code.ts'

export function renderQrCode(text: string) {
  const { size, path } = createQrPath(text)
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code with the key below">
    <path d="${path}" />
  </svg>`
}

export function oneTimeCodeField(options: { invalid?: boolean; focus?: boolean; value?: string; hint?: string }) {
  const { invalid = false, focus = false, value = '', hint } = options
  const described = [...(invalid ? ['problem'] : []), ...(hint === undefined ? [] : ['code-hint'])].join(' ')
  return html`<label for="code">Verification code</label>
    <div class="digits${invalid ? ' wrong' : ''}">
      <div class="boxes" aria-hidden="true">${Array.from({ length: 6 }, () => html`<i></i>`)}</div>
      <div class="typed">
        <input
          id="code"
          name="code"
          type="text"
          inputmode="numeric"
          autocomplete="one-time-code"
          pattern="[0-9]{6}"
          title="6 digits"
          maxlength="6"
          spellcheck="false"
          value="${value}"
          required
          ${focus ? html` autofocus` : ''}${described === '' ? '' : html` aria-describedby="${described}"`}${
            invalid ? html` aria-invalid="true"` : ''
          }
        />
      </div>
    </div>
    ${hint === undefined ? '' : html`<p class="hint" id="code-hint">${hint}</p>`}`
}

export const icon = (path: string) =>
  raw(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`,
  )
export const KEY_ICON = icon('<circle cx="16" cy="8" r="5"/><path d="M12.5 11.5 4 20m3-3 2.5 2.5M4 20v1.5"/>')
export const SAVE_ICON = icon('<path d="M12 4v11m-5-5 5 5 5-5M4 16v4h16v-4"/>')
export const BACK_ICON = icon('<path d="m15 6-6 6 6 6"/>')
export const PROBLEM_ICON = icon('<circle cx="12" cy="12" r="9"/><path d="M12 7.500v5M12 16.500v.01"/>')
export const PRINT_ICON = icon('<path d="M7 9V3.500h10V9M7 17H3.500v-8h17v8H17M7 14h10v6.500H7z"/>')
export const COPY_ICON = icon(
  '<rect x="8" y="8" width="12.500" height="12.500" rx="2"/><path d="M16 8V3.500H3.500V16H8"/>',
)
export const CORRECT_ICON = icon('<circle cx="12" cy="12" r="9"/><path d="m8.5 12 2.5 2.5 4.5-5"/>')

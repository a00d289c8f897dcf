import { html, raw } from 'hono/html'
import { BRAND_COLORS, BRAND_NAME } from '../../../contract/brand.ts'
import type { EmailButton, EmailContent, SummaryLine } from './email-content.ts'

const { light, dark } = BRAND_COLORS
/* Colors of the provider's pages (provider/platform/design-tokens.ts). */
const TEXT_COLORS = { light: '#231a30', dark: '#f6f3fa' }
const HINT_COLORS = { light: '#584e66', dark: '#c9c0d4' }
const SURFACE_COLORS = { light: '#ffffff', dark: '#1d1726' }
const PANEL_COLORS = { light: '#f4efe9', dark: '#241c2f' }
const BORDER_COLORS = { light: '#e9e2da', dark: '#352b41' }
const SEPARATOR_COLOR = '#d8cfc6'
const CONTROL_BORDER_COLORS = { light: '#8e849b', dark: '#7f7390' }

const FONT_FAMILY = "'Nunito Variable',Nunito,'SF Pro Rounded',system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
/**
 * Style sheet for dark mode and narrow screens. Email clients that ignore it show the light colors, which every element
 * sets inline.
 */
const STYLE_TAG = raw(`<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.card{padding:24px 20px!important}.half{display:block!important;width:100%!important;padding:0 0 12px!important}.none{display:none!important}.outer{padding:20px 12px!important}}
@media (prefers-color-scheme:dark){
.page,.outer{background:${dark.page}!important}.card{background:${SURFACE_COLORS.dark}!important;border-color:${BORDER_COLORS.dark}!important}
.ink{color:${TEXT_COLORS.dark}!important}.soft{color:${HINT_COLORS.dark}!important}.box{background:${PANEL_COLORS.dark}!important}.rule{border-color:#43374f!important}
.act{background:${dark.primary}!important;border-color:${dark.primary}!important}.plain{background:${SURFACE_COLORS.dark}!important;border-color:${CONTROL_BORDER_COLORS.dark}!important;color:${TEXT_COLORS.dark}!important}
}</style>`)

const renderHint = (hint: string) =>
  html`<br /><span class="soft" style="font-size:13px;line-height:18px;font-weight:500;color:${HINT_COLORS.light}"
      >${hint}</span
    >`

function renderSummaryRow({ label, hint, value, isTotal = false }: SummaryLine, n: number) {
  const above = n === 0 ? 0 : 12
  const [rule, weight] = isTotal && n > 0 ? [`border-top:1px solid ${SEPARATOR_COLOR};`, 'font-weight:700;'] : ['', '']
  const gap = rule === '' || n === 0 ? '' : spacerRow
  return html`${gap}
    <tr>
      <td
        class="ink rule"
        colspan="${value === undefined ? 2 : 1}"
        width="100%"
        style="padding:${above}px 12px 0 0;${rule}${weight}color:${TEXT_COLORS.light};font-size:15px;line-height:22px"
      >
        ${label}${hint === undefined ? '' : renderHint(hint)}
      </td>
      ${value === undefined ? '' : valueCell(value, { above, rule, isTotal })}
    </tr>`
}

const spacerRow = html`<tr>
  <td colspan="2" height="12" style="height:12px;font-size:0;line-height:0">&nbsp;</td>
</tr>`

const valueCell = (value: string, { above, rule, isTotal }: { above: number; rule: string; isTotal: boolean }) =>
  html`<td
    class="ink rule"
    align="right"
    style="padding:${above}px 0 0;${rule}color:${TEXT_COLORS.light};font-weight:800;white-space:nowrap;vertical-align:top;${
      isTotal ? 'font-size:22px;line-height:28px' : 'font-size:15px;line-height:22px'
    }"
  >
    ${value}
  </td>`

const summaryPanel = (lines: readonly SummaryLine[]) =>
  lines.length === 0
    ? ''
    : html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:20px 0 0">
        <tr>
          <td class="box" style="background:${PANEL_COLORS.light};border-radius:16px;padding:20px">
            <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
              ${lines.map(renderSummaryRow)}
            </table>
          </td>
        </tr>
      </table>`

/** Renders a button. All buttons have the same size, so that declining is as easy as accepting. */
function buttonCell({ label, to }: EmailButton, n: number, toAbsoluteUrl: (to: string) => string) {
  const [name, background, ink, border] =
    n === 0
      ? ['act', light.primary, '#ffffff', light.primary]
      : ['plain', SURFACE_COLORS.light, TEXT_COLORS.light, CONTROL_BORDER_COLORS.light]
  return html`<td class="half" width="50%" style="width:50%;padding:0 ${n === 0 ? 6 : 0}px 0 ${n === 0 ? 0 : 6}px">
    <a
      class="${name}"
      href="${toAbsoluteUrl(to)}"
      style="display:block;padding:12px 8px;border:1px solid ${border};border-radius:14px;background:${background};color:${ink};font-size:16px;line-height:22px;font-weight:800;text-align:center;text-decoration:none"
      >${label}</a
    >
  </td>`
}

const paragraph = (text: string) =>
  html`<p class="ink" style="margin:16px 0 0;color:${TEXT_COLORS.light};font-size:16px;line-height:25px">${text}</p>`

const renderButtons = (buttons: readonly EmailButton[], toAbsoluteUrl: (to: string) => string) =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:24px 0 0">
    <tr>
      ${buttons.map((button, n) => buttonCell(button, n, toAbsoluteUrl))}${
        buttons.length === 1 ? html`<td class="half none" width="50%" style="width:50%">&nbsp;</td>` : ''
      }
    </tr>
  </table>`

const emailBody = ({ title, text, lines, more, buttons, small }: EmailContent, toAbsoluteUrl: (to: string) => string) =>
  html`<h1
      class="ink"
      style="margin:0;color:${TEXT_COLORS.light};font-size:24px;line-height:32px;font-weight:800;text-wrap:balance"
    >
      ${title}
    </h1>
    <p class="ink" style="margin:8px 0 0;color:${TEXT_COLORS.light};font-size:16px;line-height:25px">${text}</p>
    ${summaryPanel(lines)}${more.map(paragraph)}${renderButtons(buttons, toAbsoluteUrl)}${
      small === null
        ? ''
        : html`<p class="soft" style="margin:16px 0 0;color:${HINT_COLORS.light};font-size:13px;line-height:19px">
            ${small}
          </p>`
    }`

const renderFooter = (footerLines: readonly string[], unsubscribe: string | null) =>
  html`${footerLines.map(
    (text) =>
      html`<p class="soft" style="margin:0 0 12px;color:${HINT_COLORS.light};font-size:12px;line-height:18px">
        ${text}
      </p>`,
  )}${
    unsubscribe === null
      ? ''
      : html`<p style="margin:0;font-size:12px;line-height:18px">
          <a class="soft" href="${unsubscribe}" style="color:${HINT_COLORS.light}">Unsubscribe</a>
        </p>`
  }`

interface HtmlOptions {
  readonly footerLines: readonly string[]
  readonly unsubscribe: string | null
  readonly toAbsoluteUrl: (to: string) => string
}

/** Renders the HTML part of an email: one column, at most 600 px wide, without images. Escapes all text. */
export function renderHtmlPart(content: EmailContent, options: HtmlOptions): string {
  const body = html`<body class="page" style="margin:0;padding:0;background:${light.page};font-family:${FONT_FAMILY}">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
      <tr>
        <td class="outer" align="center" style="padding:28px 16px;background:${light.page}">
          <table
            role="presentation"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            style="max-width:600px;text-align:left"
          >
            <tr>
              <td
                class="ink"
                style="padding:0 0 20px;color:${TEXT_COLORS.light};font-size:20px;line-height:28px;font-weight:800"
              >
                ${BRAND_NAME}
              </td>
            </tr>
            <tr>
              <td
                class="card"
                style="background:${SURFACE_COLORS.light};border:1px solid ${BORDER_COLORS.light};border-radius:20px;padding:32px"
              >
                ${emailBody(content, options.toAbsoluteUrl)}
              </td>
            </tr>
            <tr>
              <td style="padding:24px 0 0">${renderFooter(options.footerLines, options.unsubscribe)}</td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>`
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${content.subject}</title>
          ${STYLE_TAG}
        </head>
        ${body}
      </html> `,
  )
}

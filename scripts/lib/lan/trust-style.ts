import { BRAND_COLORS } from '../../../contract/brand.ts'

/** Icons of Lucide (ISC license), 24 units wide; the content of the `svg` element. */
export const TRUST_ICONS = {
  home: '<path d="M9.5 13.866a4 4 0 0 1 5 .01"/><path d="M12 17h.01"/><path d="M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z"/><path d="M7 10.754a8 8 0 0 1 10 0"/>',
  fingerprint:
    '<path d="M12 10a2 2 0 0 0-2 2c0 1.02-.1 2.51-.26 4"/><path d="M14 13.12c0 2.38 0 6.38-1 8.88"/><path d="M17.29 21.02c.12-.6.43-2.3.5-3.02"/><path d="M2 12a10 10 0 0 1 18-6"/><path d="M2 16h.01"/><path d="M21.8 16c.2-2 .131-5.354 0-6"/><path d="M5 19.5C5.5 18 6 15 6 12a6 6 0 0 1 .34-2"/><path d="M8.65 22c.21-.66.45-1.32.57-2"/><path d="M9 6.8a6 6 0 0 1 9 5.2v2"/>',
  warning:
    '<path d="M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z"/><path d="M12 8v4"/><path d="M12 16h.01"/>',
  ios: '<rect width="14" height="20" x="5" y="2" rx="2" ry="2"/><path d="M12 18h.01"/>',
  android:
    '<rect width="10" height="14" x="3" y="8" rx="2"/><path d="M5 4a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2h-2.4"/><path d="M8 18h.01"/>',
  mac: '<path d="M18 5a2 2 0 0 1 2 2v8.526a2 2 0 0 0 .212.897l1.068 2.127a1 1 0 0 1-.9 1.45H3.62a1 1 0 0 1-.9-1.45l1.068-2.127A2 2 0 0 0 4 15.526V7a2 2 0 0 1 2-2z"/><path d="M20.054 15.987H3.946"/>',
  windows:
    '<rect width="20" height="14" x="2" y="3" rx="2"/><line x1="8" x2="16" y1="21" y2="21"/><line x1="12" x2="12" y1="17" y2="21"/>',
  linux: '<path d="M12 19h8"/><path d="m4 17 6-6-6-6"/>',
  firefox:
    '<circle cx="12" cy="12" r="10"/><path d="M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20"/><path d="M2 12h20"/>',
  download: '<path d="M12 15V3"/><path d="M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4"/><path d="m7 10 5 5 5-5"/>',
  arrow: '<path d="M5 12h14"/><path d="m12 5 7 7-7 7"/>',
  chevron: '<path d="m6 9 6 6 6-6"/>',
  info: '<circle cx="12" cy="12" r="10"/><path d="M12 16v-4"/><path d="M12 8h.01"/>',
} as const

const { light, dark } = BRAND_COLORS

/** Styles of the certificate page, without any script. */
export const TRUST_STYLE = `
@font-face{font-family:"Nunito Variable";src:url(/nunito.woff2) format("woff2-variations");font-weight:200 1000;font-display:swap}
:root{color-scheme:light dark;--page:${light.page};--surface:#fff;--sunken:#f4efe9;--line:#e9e2da;--strong:#d8cfc6;--ink:#231a30;--ink-2:#584e66;--ink-3:#6e647b;--primary:${light.primary};--soft:${light['primary-soft']};--primary-ink:${light['primary-ink']};--good:${light['secondary-soft']};--good-ink:${light['secondary-ink']};--error:#fceaeb;--error-ink:#a32234}
@media (prefers-color-scheme:dark){:root{--page:${dark.page};--surface:#1d1726;--sunken:#241c2f;--line:#33293f;--strong:#43374f;--ink:#f6f3fa;--ink-2:#c9c0d4;--ink-3:#a99fb6;--primary:${dark.primary};--soft:${dark['primary-soft']};--primary-ink:${dark['primary-ink']};--good:${dark['secondary-soft']};--good-ink:${dark['secondary-ink']};--error:#431f27;--error-ink:#ff9aa5}}
*{box-sizing:border-box;margin:0;padding:0}
body{background:var(--page);color:var(--ink);font:500 15px/22px "Nunito Variable",ui-rounded,"SF Pro Rounded",system-ui,sans-serif}
:focus-visible{outline:3px solid var(--primary);outline-offset:2px}
header{display:flex;align-items:center;justify-content:space-between;gap:12px;min-height:64px;padding:8px 16px;background:var(--surface);border-bottom:1px solid var(--line)}
.brand{display:flex;align-items:center;gap:10px;min-height:44px;color:inherit;font-size:19px;font-weight:850;letter-spacing:-.025em;text-decoration:none}
.brand svg{width:32px;height:32px}
.place{display:flex;align-items:center;gap:8px;color:var(--ink-2);font-size:14px;font-weight:700}
.icon{flex:none;width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.place .icon{width:16px;height:16px}
main{max-width:480px;margin:0 auto;padding:24px 16px 32px}
h1{font-size:26px;line-height:34px;font-weight:800;letter-spacing:-.02em}
h2{font-size:16px;line-height:22px;font-weight:750}
h3{font-size:16px;line-height:22px;font-weight:750}
.lead{margin:4px 0 20px;color:var(--ink-2)}
section{margin-top:16px;padding:16px;border:1px solid var(--line);border-radius:20px;background:var(--surface)}
.head{display:flex;align-items:center;gap:12px;margin-bottom:14px}
.head p,.grow span{color:var(--ink-2);font-size:13px;line-height:18px}
.badge{display:grid;flex:none;width:40px;height:40px;place-items:center;border-radius:12px;background:var(--soft);color:var(--primary-ink)}
.good{background:var(--good);color:var(--good-ink)}
.code{display:grid;grid-template-columns:repeat(4,auto);justify-content:space-around;gap:10px 8px;padding:18px 12px;border-radius:14px;background:var(--good);color:var(--good-ink);font-size:17px;line-height:22px;font-weight:750;font-variant-numeric:tabular-nums;letter-spacing:.02em}
.warning{display:flex;gap:12px;margin-top:12px;padding:12px 16px;border-radius:14px;background:var(--error);color:var(--error-ink);font-size:13px;line-height:19px}
.note{display:flex;gap:14px;margin-top:16px;padding:14px 16px;border-radius:14px;background:var(--sunken);color:var(--ink-2);font-size:13px;line-height:19px}
.button{display:flex;align-items:center;justify-content:center;gap:10px;min-height:48px;padding:8px 16px;border:1px solid transparent;border-radius:14px;font-size:16px;font-weight:750;text-decoration:none}
.download{background:var(--primary);color:#fff;box-shadow:inset 0 1px 0 rgba(255,255,255,.18),0 6px 16px -8px rgba(106,63,208,.7)}
.next{margin-top:16px;border-color:var(--strong);background:var(--surface);color:var(--ink)}
ol{counter-reset:step;list-style:none}
li{display:flex;gap:14px;padding:16px 0;counter-increment:step}
li+li{border-top:1px solid var(--line)}
section>ol>li:last-child{padding-bottom:0}
li::before{content:counter(step);display:grid;flex:none;width:26px;height:26px;place-items:center;border-radius:50%;background:var(--soft);color:var(--primary-ink);font-size:13px;font-weight:800}
li p{color:var(--ink-2);font-size:14px;line-height:21px;overflow-wrap:anywhere}
b{color:var(--ink);font-weight:750}
.warning b{color:inherit}
.others{padding:4px 16px}
details+details{border-top:1px solid var(--line)}
summary{display:flex;align-items:center;gap:14px;min-height:64px;padding:10px 0;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
.grow{flex:1}.grow b,.grow span{display:block}
details[open] summary .icon:last-child{transform:rotate(180deg)}
.foot{margin-top:16px;text-align:center;color:var(--ink-3);font-size:12px;line-height:16px}
`

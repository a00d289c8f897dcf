import { BRAND_COLORS } from '../../../../contract/brand.ts'
import { DESIGN_TOKENS_CSS } from '../../../platform/design-tokens.ts'

const { light, dark } = BRAND_COLORS

/** Style of the card page; its hash is part of the page's content security policy. */
export const CARD_PAGE_STYLE = `
${DESIGN_TOKENS_CSS}
:root{--line:#e9e2da;--error:#be2c3f;--good:${light['secondary-ink']};--shadow:rgba(50,32,70,.18)}
@media (prefers-color-scheme:dark){:root{--line:#352b41;--error:#ff9aa5;--good:${dark['secondary-ink']};--shadow:rgba(0,0,0,.4)}}
*{box-sizing:border-box;margin:0;padding:0}
[hidden]{display:none!important}
body{min-height:100dvh;background:var(--page);color:var(--ink);font:500 15px/22px "Nunito Variable",ui-rounded,"SF Pro Rounded",system-ui,sans-serif;letter-spacing:-.003em;font-variant-numeric:tabular-nums}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
svg{flex:none;width:18px;height:18px}
.bar{display:flex;align-items:center;gap:12px;height:64px;padding:0 16px;background:var(--surface);border-bottom:1px solid var(--line)}
.bar strong{font-size:19px;font-weight:850;letter-spacing:-.025em}
.bar .what{display:none;color:var(--ink-2);font-weight:650}
.bar .host{display:flex;align-items:center;gap:6px;margin-left:auto;min-width:0;font-size:13px;font-weight:650;color:var(--ink-2)}
.bar .host span{overflow-wrap:anywhere}
main{max-width:1008px;margin:0 auto;padding:16px 16px 40px}
.link{display:inline-flex;align-items:center;gap:4px;min-height:44px;border:0;background:none;color:var(--primary-ink);font:inherit;font-weight:750;cursor:pointer;text-decoration:none}
.link:hover{text-decoration:underline}
h1{font-size:28px;line-height:36px;font-weight:800;letter-spacing:-.02em}
h1{text-wrap:balance}
h2{font-size:16px;line-height:22px;font-weight:750;letter-spacing:-.005em}
.head{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px 24px}
.steps{display:flex;align-items:center;gap:8px;list-style:none;font-size:13px;line-height:18px;font-weight:650;color:var(--ink-2)}
.steps li{display:flex;align-items:center;gap:8px}
.steps li+li:before{content:"";width:28px;height:2px;background:var(--line-strong)}
.steps b{display:grid;place-items:center;width:24px;height:24px;border-radius:12px;background:var(--sunken);font-size:12px;font-weight:800}
.steps [aria-current]{color:var(--ink);font-weight:750}
.steps [aria-current] b{background:var(--primary);color:#fff}
.grid{display:grid;gap:12px;margin-top:16px}
.panel{padding:18px 16px;border:1px solid var(--line);border-radius:20px;background:var(--surface);box-shadow:0 10px 28px -14px var(--shadow)}
.side h2{font-size:13px;line-height:18px;font-weight:700;color:var(--ink-2)}
.side .who{display:flex;align-items:center;gap:8px;font-size:14px;line-height:20px;font-weight:700;overflow-wrap:anywhere}
.side .initials{flex:none;display:grid;place-items:center;width:32px;height:32px;border-radius:16px;background:var(--soft);color:var(--primary-ink);font-size:13px;font-weight:800}
.side hr{height:1px;margin:14px 0;border:0;background:var(--line)}
.side p{font-size:13px;line-height:18px;color:var(--ink-2)}
.side .amount{margin:2px 0;font-size:28px;line-height:36px;font-weight:800;letter-spacing:-.02em;color:var(--ink)}
.side .who form{margin-left:auto}
.side p+p{margin-top:4px}
.side .note,.side hr.only{display:none}
.side .note.always{display:flex}
.side .note{gap:10px}
.side .note+.note{margin-top:8px}
.side .link{font-size:13px;white-space:nowrap}
.side .note svg{color:var(--good)}
.wallet,.plain{display:flex;align-items:center;justify-content:center;gap:8px;width:100%;height:48px;border:1px solid var(--line-strong);border-radius:14px;background:var(--surface);color:var(--ink);font:inherit;font-size:16px;font-weight:750;cursor:pointer;text-decoration:none}
.wallet:hover,.plain:hover{background:var(--soft);border-color:var(--soft-line);color:var(--primary-ink)}
.or{display:flex;align-items:center;gap:12px;margin:16px 0;font-size:13px;line-height:18px;font-weight:650;color:var(--ink-2)}
.or:before,.or:after{content:"";flex:1;height:1px;background:var(--line)}
.summary{display:flex;align-items:flex-start;gap:12px;margin-bottom:16px;padding:12px 16px;border-radius:14px;background:var(--error-soft);color:var(--error-ink);font-weight:700}
.summary svg{margin-top:2px}
.summary ul{margin:4px 0 0;list-style:none;font-size:13px;line-height:18px}
.summary li{padding:3px 0}
.summary a{color:inherit}
.fields{display:grid;grid-template-columns:repeat(4,1fr);gap:16px}
.field{grid-column:span 4;min-width:0}
.half{grid-column:span 2}
.fields h2{grid-column:span 4;margin-top:8px}
.stored{grid-column:span 4;border:1px solid var(--line-strong);border-radius:14px}
.stored summary{display:flex;align-items:center;gap:14px;min-height:60px;padding:10px 16px;border-radius:14px;cursor:pointer;list-style:none}
.stored summary::-webkit-details-marker{display:none}
.stored summary svg{flex:none;width:18px;height:18px;color:var(--ink-3)}
.stored summary span{flex:1;min-width:0;overflow-wrap:anywhere;font-size:14px;line-height:20px;color:var(--ink-2)}
.stored b{display:block;font-size:15px;font-weight:750;color:var(--ink)}
.stored summary .edit{flex:none;font-weight:750;color:var(--primary-ink)}
.stored[open] summary .edit{display:none}
.stored .fields{padding:6px 16px 16px}
label{display:block;margin-bottom:6px;font-size:13px;line-height:18px;font-weight:700}
.box{position:relative}
input,select{width:100%;height:44px;padding:0 14px;border:1px solid var(--control);border-radius:12px;background:var(--surface);color:var(--ink);font:inherit;font-size:16px;font-weight:600}
select{appearance:none;padding-right:40px}
.box>svg{position:absolute;right:14px;top:13px;pointer-events:none}
input[aria-invalid=true],select[aria-invalid=true]{border:2px solid var(--error);padding-left:13px}
.mark{position:absolute;right:14px;top:9px;display:grid;place-items:center;width:40px;height:26px;border-radius:6px;background:#1a2a6c;color:#fff;font-size:11px;line-height:1;font-weight:850}
.mark.visa{font-style:italic}.mark.mastercard{background:#231f2e}.mark.amex{background:#1f6aa8}.mark.discover{background:#7a3d00}
.hint{margin-top:6px;font-size:13px;line-height:18px;color:var(--ink-3)}
.wrong{display:flex;gap:6px;margin-top:6px;font-size:13px;line-height:18px;font-weight:650;color:var(--error-ink)}
.wrong svg{width:14px;height:14px;margin-top:2px}
.primary{display:flex;align-items:center;justify-content:center;width:100%;height:48px;margin-top:24px;border:1px solid transparent;border-radius:14px;background:var(--primary);color:#fff;font:inherit;font-size:16px;font-weight:750;text-decoration:none;cursor:pointer;box-shadow:inset 0 1px 0 rgba(255,255,255,.18),0 6px 16px -8px rgba(106,63,208,.7)}
.primary:hover{background:var(--hover)}
.primary[aria-disabled=true]{background:var(--sunken);color:var(--ink-2);box-shadow:inset 0 0 0 1px var(--line-strong);cursor:default}
.mid{text-align:center}
.slow{margin-top:12px;padding:12px 16px;border-radius:14px;background:var(--sunken);color:var(--ink-2)}
.ask{display:grid;gap:12px}
.ask .primary{margin-top:4px}
.tests summary{display:flex;flex-wrap:wrap;align-items:center;gap:8px;cursor:pointer;list-style:none;border-radius:8px}
.tests summary::-webkit-details-marker{display:none}
.tests summary svg{margin-left:auto}
.tests[open] summary svg{transform:rotate(180deg)}
.tests b{font-size:16px;font-weight:800}
.tests i{height:24px;padding:0 9px;border-radius:12px;background:var(--sunken);color:var(--ink-2);font-style:normal;font-size:12px;line-height:24px;font-weight:750}
.tests summary span{flex-basis:100%;font-size:13px;line-height:18px;color:var(--ink-2)}
.tests ul{display:grid;grid-template-columns:1fr;column-gap:20px;margin-top:12px;border-top:1px solid var(--line);list-style:none}
.tests li{display:flex;align-items:center;justify-content:space-between;gap:12px;padding:8px 0;border-bottom:1px solid var(--line)}
.tests ul{margin-bottom:-8px}
.tests li:last-child{border-bottom:0}
.tests strong{display:block;font-size:14px;line-height:20px;font-weight:750}
.tests li span{font-size:13px;line-height:18px;color:var(--ink-2)}
.tests .link{flex:none;font-size:13px}
.over{max-width:520px;margin:24px auto 0;text-align:center}
.over p{margin-top:8px;color:var(--ink-2)}
@media (min-width:600px){.tests ul{grid-template-columns:1fr 1fr}.tests li:nth-last-child(2):nth-child(odd){border-bottom:0}}
@media (min-width:700px){
.bar{padding:0 26px}
.bar .what{display:inline}
main{padding:24px 24px 40px}
.panel{padding:24px}
.city{grid-column:span 2}.state,.zip{grid-column:span 1}
.tests.panel{padding:20px}
input,select{font-size:15px}
}
@media (min-width:900px){
.grid{grid-template-columns:minmax(0,1fr) 320px;gap:24px;align-items:start}
.side.panel{grid-column:2;grid-row:1 / span 2;padding:20px}
.side .note{display:flex}
.side hr.only{display:block}
.link{min-height:32px}
.panel.form{grid-column:1}
.tests{grid-column:1}
}
@media (pointer:coarse){
.link{min-width:44px;min-height:44px}
.summary a{display:inline-block;padding:13px 0}
}
@media (forced-colors:active){
.steps b,.initials,.summary,.slow,.mark,.tests i{border:1px solid}
.steps [aria-current] b{forced-color-adjust:none;background:Highlight;color:HighlightText}
.steps li+li:before,.or:before,.or:after,.side hr{background:CanvasText}
}
`

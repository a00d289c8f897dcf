import { ACCOUNT_STYLE } from './account-page-styles.ts'
import { SIGN_UP_STYLE } from './sign-up-page-styles.ts'
import { DESIGN_TOKENS_CSS } from '../../platform/design-tokens.ts'

/** Styles of the provider's pages; their hash is part of the content security policy. */
export const PROVIDER_PAGE_STYLE = `
${DESIGN_TOKENS_CSS}
*{box-sizing:border-box;margin:0;padding:0}
body{min-height:100dvh;display:flex;flex-direction:column;background:var(--page);color:var(--ink);font:500 15px/22px "Nunito Variable",ui-rounded,"SF Pro Rounded",system-ui,sans-serif;letter-spacing:-.003em;font-variant-numeric:tabular-nums}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.picture{position:relative;flex:none;height:176px;overflow:hidden;border-radius:0 0 28px 28px;background:#120c1c;color:#fff}
.picture img{position:absolute;left:0;top:0;width:100%;height:100%;object-fit:cover;object-position:50% 55%}
.words{display:none}
main{flex:1;display:flex;flex-direction:column;padding:0 20px 24px}
.form{position:relative;width:100%;max-width:384px;margin:0 auto}
.brand{width:60px;height:60px;margin:-30px 0 20px;border-radius:18px;background:var(--surface);box-shadow:0 10px 28px -14px rgba(50,32,70,.3);display:grid;place-items:center}
.brand span{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
h1{font-size:24px;line-height:32px;font-weight:800;letter-spacing:-.02em}
.lead{color:var(--ink-2)}
form{margin-top:20px}
label{display:block;margin:16px 0 6px;font-size:13px;line-height:18px;font-weight:700}
.field{display:grid;grid-template-columns:1fr auto;align-items:end}
.field input{grid-area:2/1/3/3}
.field a{grid-area:1/2;padding:16px 0 6px;color:var(--primary-ink);font-size:13px;line-height:22px;font-weight:700;text-decoration:none}
.field a:hover{text-decoration:underline}
.eye{grid-area:2/2;display:grid;width:48px;height:48px;place-items:center;border:0;border-radius:12px;background:none;color:var(--ink-2);cursor:pointer}
.eye[hidden]{display:none}
.eye:not([hidden]){margin-left:-48px;justify-self:end}
.eye span{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.eye:not([aria-pressed=true]) .slash{display:none}
.field input{padding-right:48px}
input[type=email],input[type=password],input[type=text]{width:100%;height:48px;padding:0 15px;border:1px solid var(--control);border-radius:12px;background:var(--surface);color:var(--ink);font:inherit;font-size:16px}
input:focus-visible{border-color:var(--primary)}
.primary{display:flex;align-items:center;justify-content:center;width:100%;height:48px;margin-top:20px;border:1px solid transparent;border-radius:14px;background:var(--primary);color:#fff;font:inherit;font-size:16px;font-weight:750;text-decoration:none;cursor:pointer;box-shadow:inset 0 1px 0 rgba(255,255,255,.18),0 6px 16px -8px rgba(106,63,208,.7);transition:background-color 120ms}
.primary:hover{background:var(--hover)}
.hint{margin-top:6px;font-size:13px;line-height:18px;color:var(--ink-3)}
.price{margin-top:20px;font-size:16px}
.price strong{font-size:24px;line-height:32px;font-weight:800}
.note{margin-top:20px;padding:12px 16px;border-radius:14px;background:var(--sunken);color:var(--ink-2)}
.problem{display:flex;gap:10px;padding:12px 16px;border-radius:14px;background:var(--error-soft);color:var(--error-ink);font-weight:650}
.problem[hidden]{display:none}
.problem .icon{margin-top:1px}
h1+.problem{margin-top:16px}
.demo{margin-top:24px;padding:14px 16px;border-radius:16px;background:var(--sunken)}
.demo-head{display:flex;justify-content:space-between;gap:12px;align-items:baseline;font-size:12px;line-height:16px;font-weight:650;color:var(--ink-3)}
.demo h2{font-size:13px;line-height:18px;font-weight:750;color:var(--ink)}
code{font:inherit;font-weight:750;color:var(--ink-2)}
.demo ul{display:flex;flex-wrap:wrap;gap:8px;margin-top:8px;list-style:none}
.demo form{margin:0}
.demo details{margin-top:4px}
.demo summary{display:flex;align-items:center;min-height:44px;font-size:13px;line-height:18px;font-weight:700;color:var(--ink-2);cursor:pointer}
.demo summary:hover{color:var(--primary-ink)}
.chip{height:44px;padding:0 14px;border:1px solid var(--line-strong);border-radius:22px;background:var(--surface);color:var(--ink-2);font:inherit;font-size:14px;font-weight:700;cursor:pointer;transition:background-color 120ms}
.chip:hover{background:var(--soft);border-color:var(--soft-line);color:var(--primary-ink)}
.foot{margin-top:auto;padding-top:32px;text-align:center;font-size:12px;line-height:16px;font-weight:650;color:var(--ink-3)}
.foot a{display:inline-block;padding:14px 12px;color:var(--ink-2)}
@media (min-width:990px){
body{flex-direction:row}
.picture{position:sticky;top:12px;flex:0 0 calc(50% - 12px);height:calc(100dvh - 24px);min-height:480px;margin:12px 0 12px 12px;border-radius:28px}
.words{display:block;position:absolute;left:0;right:0;bottom:0;padding:96px 48px 44px;font-size:16px;line-height:22px;background:linear-gradient(transparent,rgba(12,8,18,.62) 45%,rgba(12,8,18,.9))}
.words p+p{max-width:440px;text-wrap:balance;margin-top:6px;color:#ded5e8}
.welcome{font-size:40px;line-height:48px;font-weight:800;letter-spacing:-.035em}
main{justify-content:center;padding:48px 24px 24px}
.form{margin:auto}
.brand{display:flex;align-items:center;gap:10px;width:auto;height:auto;margin:0 0 32px;background:none;box-shadow:none}
.brand span{position:static;clip-path:none;width:auto;height:auto;font-size:19px;line-height:24px;font-weight:850}
h1{font-size:28px;line-height:36px}
input[type=email],input[type=password],input[type=text]{font-size:15px}
.field a{line-height:18px}
.chip{height:32px;border-radius:16px;padding:0 12px;font-size:13px}
.demo summary{min-height:32px}
.foot{margin-top:0}
}
@media (max-width:989.98px) and (max-height:480px){.picture{display:none}.brand{margin-top:16px}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
${ACCOUNT_STYLE}${SIGN_UP_STYLE}
@media (pointer:coarse){
.field a{line-height:22px}
.chip{height:44px;border-radius:22px;font-size:14px}
.demo summary,.back{min-height:44px}
}
@media (forced-colors:active){
.note,.problem,.demo,.saved,.toast,.badge,.tile,.initials,.mono,.codes,.card h2 b{border:1px solid}
.card hr{background:CanvasText}
}
`

/** Styles of the six-digit code field and of the account pages. Part of `PROVIDER_PAGE_STYLE`. */
export const ACCOUNT_STYLE = `
:root{--line:#e9e2da}
@media (prefers-color-scheme:dark){:root{--line:#352b41}}
.who{margin:2px 0 0}
.digits{position:relative;height:56px;container-type:inline-size;border-radius:12px}
.digits:has(:focus-visible){outline:3px solid var(--focus);outline-offset:3px}
.boxes{display:grid;grid-template-columns:repeat(6,1fr);gap:8px;height:100%}
.boxes i{border:1px solid var(--control);border-radius:12px;background:var(--surface)}
.digits:focus-within i{border-color:var(--primary)}
.digits.wrong i{border-color:var(--error-ink)}
.typed{position:absolute;inset:0;overflow:clip}
.typed input[type=text]{width:calc(100% + 64px);height:56px;border:0;border-radius:0;background:none;outline:none;font:800 24px/56px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;padding:0 0 0 calc(((100cqw - 40px)/6 - 1ch)/2);letter-spacing:calc((100cqw + 8px)/6 - 1ch)}
.secondary{display:flex;align-items:center;justify-content:center;gap:8px;width:100%;height:48px;border:1px solid var(--line-strong);border-radius:14px;background:var(--surface);color:var(--ink);font:inherit;font-size:16px;font-weight:750;text-decoration:none;cursor:pointer;transition:background-color 120ms}
.secondary:hover{background:var(--soft);border-color:var(--soft-line);color:var(--primary-ink)}
.other{margin-top:12px}
.again{margin-top:16px;color:var(--ink-2);text-align:center}
main.wide>.again{text-align:left}
.again a,.back{color:var(--primary-ink);font-weight:750;text-decoration:none}
.again a{margin:0 -4px;padding:11px 4px}
.back{font-size:14px}
.again a:hover,.back:hover{text-decoration:underline}
.icon{width:20px;height:20px;flex:none}
body.account{display:block}
.bar{display:flex;align-items:center;gap:10px;height:64px;padding:0 16px;background:var(--surface);border-bottom:1px solid var(--line)}
.bar strong{font-size:19px;font-weight:850;letter-spacing:-.02em}
.service{display:none;color:var(--ink-2)}
.initials{display:grid;place-items:center;width:32px;height:32px;margin-left:auto;border-radius:16px;background:var(--soft);color:var(--primary-ink);font-size:13px;font-weight:800}
.email{display:none;font-size:14px;font-weight:700}
main.wide{display:block;max-width:992px;margin:0 auto;padding:16px 16px 40px}
.back{display:inline-flex;align-items:center;gap:4px;min-height:24px;margin-bottom:4px}
.cards{display:grid;gap:16px;margin-top:20px}
.card{padding:24px 16px;border:1px solid var(--line);border-radius:20px;background:var(--surface);box-shadow:0 12px 28px -20px rgba(50,32,70,.35)}
.card form{margin-top:12px}
.card h2{display:flex;align-items:center;gap:12px;font-size:16px;line-height:24px;font-weight:750}
.card h2 b{display:grid;place-items:center;width:26px;height:26px;border-radius:13px;background:var(--soft);color:var(--primary-ink);font-size:13px}
.card h2+p{margin-top:8px;color:var(--ink-2);font-size:14px;line-height:20px}
.card hr{height:1px;margin:24px 0;border:0;background:var(--line)}
.scan{display:grid;gap:16px;margin-top:12px}
.qr{display:block;width:100%;max-width:224px;margin:0 auto;border:1px solid var(--line);border-radius:16px;background:#fff;fill:#120c1c;shape-rendering:crispEdges}
.scan p{color:var(--ink-2);font-size:14px;line-height:20px}
.mono{display:block;margin-top:8px;padding:12px;border-radius:12px;background:var(--sunken);color:var(--ink);font:700 14px/22px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;user-select:all;overflow-wrap:anywhere}
.right{display:flex;align-items:center;gap:6px;margin-top:10px;color:#1c6b45;font-size:14px;font-weight:700}
.codes{display:grid;gap:8px;margin:12px 0 14px;padding:16px;border-radius:14px;background:var(--sunken);list-style:none;font:700 14px/22px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;user-select:all}
.mails{display:grid;margin-top:16px;list-style:none}
.mails li{border-top:1px solid var(--line)}
.mails a{display:block;padding:12px 4px;color:var(--ink);text-decoration:none}
.mails a:hover{background:var(--soft)}
.mails strong,.mails span{display:block;overflow-wrap:anywhere}
.mails span,.mail-to{font-size:13px;line-height:18px;color:var(--ink-2)}
.mail-to{margin-top:4px}
.mail-html+h2{margin-top:20px}
.mail-html{display:block;width:100%;max-width:680px;height:720px;margin-top:16px;border:1px solid var(--line);border-radius:16px}
.mail-text{max-width:680px;margin-top:8px;padding:16px;border-radius:16px;background:var(--sunken);white-space:pre-wrap;overflow-wrap:anywhere;font:500 14px/21px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
.passkeys{display:grid;gap:12px;margin-top:12px;list-style:none}
.passkeys li{display:flex;align-items:center;justify-content:space-between;gap:12px}
.passkeys span{display:block;color:var(--ink-3);font-size:13px;line-height:18px}
.passkeys form{flex:none;margin:0}
.facts{display:grid;gap:14px;margin-top:12px}
.facts dt{font-size:13px;line-height:18px;font-weight:750;color:var(--ink)}
.facts dd{margin-top:2px;color:var(--ink-2);font-size:14px;line-height:20px}
.danger{border-color:var(--error-ink);color:var(--error-ink)}
.danger:hover{background:var(--error-soft);border-color:var(--error-ink);color:var(--error-ink)}
.save-ways{display:flex;flex-wrap:wrap;gap:8px}
.mono+.save,p+.save{margin-top:12px}
.save[hidden]{display:none}
.save{display:inline-flex;width:auto;height:44px;padding:0 16px;border-radius:12px;font-size:14px}
label.tick{display:flex;align-items:center;gap:12px;min-height:44px;margin:8px 0 0;font-size:14px;cursor:pointer}
.tick input{flex:none;width:20px;height:20px;margin:0;accent-color:var(--primary)}
.tick+.primary{margin-top:8px}
.tick:has(:not(:checked))+.primary{background:var(--sunken);color:var(--ink-3);box-shadow:inset 0 0 0 1px var(--line)}
.card .hint.mid{text-align:center}
.digits+.hint{margin-top:10px}
.save-ways+.hint,.primary+.hint{margin-top:12px}
.hint+.secondary{margin-top:16px}
@media (prefers-color-scheme:dark){.right{color:#7fd3a6}}
@media (min-width:700px){
main.wide>.primary{max-width:320px}
.service,.email{display:block}
.bar{padding:0 26px}
.bar .email{margin-left:0}
.card{padding:24px}
.scan{grid-template-columns:200px 1fr}
.codes{grid-template-columns:1fr 1fr}
}
@media (min-width:990px){
.again{text-align:left}
main.wide{padding:24px 16px 40px}
.cards.two{grid-template-columns:1fr 1fr;align-items:start}
.cards.two:has(.codes){align-items:stretch}
.cards.one{max-width:480px}
.digits{max-width:384px}
}
@media print{.bar,.back,.lead,.card:not(:has(.codes)),.card form,.save-ways,.save-ways+.hint{display:none}}
`

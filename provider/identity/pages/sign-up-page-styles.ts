/** Styles of the sign-up pages. Part of `PROVIDER_PAGE_STYLE`. */
export const SIGN_UP_STYLE = `
.sign-up form{margin-top:16px}
.sign-up h1+.lead{margin-top:4px}
.sign-up .lead strong{color:var(--ink);font-weight:750;overflow-wrap:anywhere}
.sign-up .field{grid-template-columns:1fr auto}
.sign-up .eye{width:44px;height:44px;margin:0 2px 2px -46px}
.sign-up .eye:not([hidden]){margin-left:-46px}
.sign-up input[readonly]{background:var(--sunken)}
input[aria-invalid]{border:2px solid var(--error-ink);padding-left:14px}
.field-problem{display:flex;gap:6px;margin-top:6px;font-size:13px;line-height:18px;font-weight:650;color:var(--error-ink)}
.field-problem .icon{width:16px;height:16px;margin-top:1px}
.field-problem+.rule{display:none}
.rule{display:flex;align-items:center;gap:6px;margin-top:6px;font-size:13px;line-height:18px;font-weight:650;color:var(--ink-2)}
.rule .icon{width:16px;height:16px;visibility:hidden;margin-left:-22px}
.rule.met{color:var(--done-ink)}
.rule.met .icon{visibility:visible;margin-left:0}
.primary[aria-disabled=true]{cursor:default;opacity:.85}
.plan-card{display:flex;align-items:center;gap:12px;min-height:66px;padding:8px 18px 8px 14px;border:1px solid var(--soft-line);border-radius:16px;background:linear-gradient(to bottom,var(--soft),var(--surface));list-style:none}
.plan-card strong{font-size:15px;line-height:20px;font-weight:750;overflow-wrap:anywhere}
summary.plan-card{cursor:pointer}
summary.plan-card::-webkit-details-marker{display:none}
.tile{display:grid;place-items:center;flex:none;width:40px;height:40px;border-radius:12px;background:var(--surface);color:var(--primary-ink)}
.plan-words{flex:1;min-width:0}
.plan-words strong,.plan-words span{display:block}
.plan-words span{font-size:13px;line-height:18px;color:var(--ink-2)}
.plan-words b{font-weight:750;color:var(--ink)}
.change{font-size:13px;line-height:18px;font-weight:750;color:var(--primary-ink)}
.plan:not([open]) .while-open,.plan[open] .while-closed{display:none}
strong.while-open{flex:1}
.plan fieldset{margin-top:8px;padding:4px 14px;border:1px solid var(--line-strong);border-radius:16px;background:var(--surface)}
.plan legend{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
label.plan-choice{display:flex;align-items:center;gap:12px;min-height:56px;margin:0;font-weight:500;cursor:pointer}
.plan-choice+.plan-choice{border-top:1px solid var(--line)}
.plan-choice input{flex:none;width:20px;height:20px;accent-color:var(--primary)}
.plan-choice strong{font-size:14px;font-weight:750}
[class*=picked-]{display:none}
.plan:not([open]):has(#plan-0:checked) .picked-0,.plan:not([open]):has(#plan-1:checked) .picked-1,.plan:not([open]):has(#plan-2:checked) .picked-2,.plan:not([open]):has(#plan-3:checked) .picked-3,.plan:not([open]):has(#plan-4:checked) .picked-4{display:block}
.note-line{display:flex;gap:10px;margin-top:16px;padding-bottom:16px;border-bottom:1px solid var(--line);font-size:13px;line-height:18px;color:var(--ink-2)}
.note-line .icon{width:18px;height:18px;color:var(--ink-3)}
.badge{display:none;place-items:center;width:56px;height:56px;margin-bottom:24px;border-radius:18px;background:var(--surface);color:var(--primary-ink);box-shadow:0 8px 28px -6px rgba(242,166,59,.45)}
.badge .icon{width:28px;height:28px}
.saved{display:flex;align-items:center;gap:14px;margin-top:16px;padding:12px 16px;border-radius:14px;background:var(--soft);font-size:13px;line-height:18px;color:var(--primary-ink)}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:10px;margin-top:18px}
.pair form{margin:0}
.pair .secondary{height:44px;border-radius:12px;font-size:14px}
.pair .secondary[aria-disabled=true]{border-color:transparent;background:var(--sunken);color:var(--ink-3);cursor:default}
.toast{position:fixed;left:50%;bottom:24px;display:flex;align-items:center;gap:8px;padding:12px 18px;border-radius:14px;background:#231a30;color:#fff;font-size:14px;font-weight:650;transform:translateX(-50%);box-shadow:0 12px 28px -12px rgba(0,0,0,.5);white-space:nowrap;animation:toast-end .2s 6s forwards}
@keyframes toast-end{to{visibility:hidden;opacity:0}}
@media (max-width:989.98px){body:has(.plan-card) .picture{height:120px}body:has(.plan-card) .picture img{object-position:50% 50%}}
@media (min-width:990px){.badge{display:grid}}
:root{--done-ink:#146042}
@media (prefers-color-scheme:dark){:root{--done-ink:#7ce0b2}}
`

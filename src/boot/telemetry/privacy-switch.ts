import { MEASURING_WORDS } from '../../domain/copy/privacy.ts'
import { $measuring, loadMeasured, setMeasuring } from '../../stores/account/analytics-consent.ts'

/** The switch of the page of privacy, for somebody without an account as well; the same as that of the account page. */
const row = document.getElementById('measure-choice')!
const toggle = row.querySelector('input')!
const load = () => loadMeasured(Date.now())

load()
$measuring.subscribe((measuring) => {
  row.querySelector('span')!.textContent = MEASURING_WORDS[measuring]
  toggle.checked = measuring === 'on'
  toggle.disabled = measuring === 'asked'
})
toggle.onchange = () => setMeasuring(toggle.checked)
// Changed in another tab, or by the end of the hour.
for (const type of ['storage', 'pageshow', 'porchlight:measuring']) addEventListener(type, load)
row.hidden = false

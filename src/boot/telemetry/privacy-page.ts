/** /privacy: the analytics switch loads separately, because the page is complete without the switch. */
import('./privacy-switch.ts').catch(console.debug)

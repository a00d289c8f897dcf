/**
 * French words for the English lexicon, found with and without accents. `*` stands for any ending, `...` for words
 * between two parts: the second part ends the clause unless dots follow it.
 */
export const FRENCH = `
old lady: vieille dame, vieille femme, dame agee, femme agee, mamie, mamies, grand mere
man: vieil homme, vieux monsieur, homme age, papi, papy, grand pere, papa, pere, mari, vieillard*, monsieur age
person: personne agee, personnes agees
nobody: n y a personne, y a personne, y avait personne, n y avait personne, personne n, personne ne, aucune personne, sans personne, sans aucune personne
person: personne, personnes, quelqu un, quelqu une, quelqu, gens, humain*, etre humain, adulte*, individu*, silhouette*, une ame, du monde, monde
who: qui est ce qui, qui est, qui a, qui etait, qui sont, qui ont, qui va, qui vient
man: jeune homme, jeunes hommes, homme, hommes, monsieur, messieurs, type, types, mec, mecs, gars, bonhomme
woman: jeune femme, jeunes femmes, jeune fille, femme, femmes, dame, dames, maman, mere, madame, epouse, nana, tante
girl: fillette, fillettes, petite fille, petites filles
son: fils, mon fils, notre fils
daughter: ma fille, notre fille
child: petit garcon, petits garcons, garcon, garcons, garconnet*, fille, filles, enfant, enfants, gamin*, bebe, bebes, gosse*, petit enfant, petits enfants, mome, momes, ado, ados, adolescent*, ecolier*, ecoliere*, jeunes, bambin*
visitor: visiteur*, visiteuse*, visite, visites, invite, invites, invitee, invitees
stranger: inconnu*, etranger, etrangere, etrangers, rodeur*, rodeuse*, cambrioleur*, cambrioleuse*, cambriolage*, voleur*, voleuse*, intrus*, suspect*, louche*, malfaiteur*, effraction, introduit
neighbour: voisin, voisine, voisins, voisines
courier: livreur*, livreuse*, facteur*, factrice*, coursier*, livraison*, livre un, livre une, livre des, livre le, livre les, livre la, livrent, livrer, livrant, a livre, ont livre, est livre, postier*, postiere*, la poste, poste, courrier, dhl, amazon, chronopost, colissimo
driver: conducteur*, conductrice*, chauffeur*, automobiliste*
jogger: joggeur*, joggeuse*, coureur*, coureuse*, jogging, footing
pedestrian: pieton*, passant, passants, passante, passantes, promeneur*, promeneuse*
cyclist: cycliste*
handyman: bricoleur*, ouvrier*, artisan*, mecanicien*, menuisier*, technicien*, reparateur*
gardener: jardinier, jardiniere, jardiniers
plumber: plombier*
electrician: electricien*
cleaner: femme de menage, laveur de vitres, laveur de carreaux
salesman: vendeur*, demarcheur*, representant
police: police, policier*, policiere*, gendarme*, flic, flics
couple: couple, couples
group: groupe, groupes, bande, foule
face: visage, visages
two: deux, les deux
three: trois
four: quatre
five: cinq
six: six
several: plusieurs
pet: animal de compagnie, animaux de compagnie, animal domestique, animaux domestiques
animal: animal, animaux, bete, betes, bestiole*, animal sauvage, animaux sauvages, faune
puppy: chiot*
dog: chien, chienne, chiens, chiennes, toutou*, clebs, clebard, labrador, golden
kitten: chaton*
cat: chat, chatte, chats, chattes, minou*, matou*, minet, minette, felin*
fox: renard*
squirrel: ecureuil*
bird: oiseau*, corbeau, corbeaux, pie, pies, pigeon*, merle*, moineau*, mouette*, corneille*, mesange*, rouge gorge
owl: hibou, hiboux, chouette*
raccoon: raton laveur, ratons laveurs
deer: cerf, cerfs, biche, biches, chevreuil*, faon
hedgehog: herisson*
badger: blaireau*
rabbit: lapin*, lievre*
marten: fouine, fouines, martre*
rat: rat, rats
mouse: souris
horse: cheval, chevaux
hen: poule, poules
duck: canard, canards
boar: sanglier*
mailbox: boite aux lettres, boite a lettres, boites aux lettres
parcel: colis, paquet, paquets, carton, cartons, boite, boites, caisse, caisses
letter: lettre, lettres, enveloppe*
shopping: les courses, des courses, ses courses, nos courses, sacs de courses, sac de courses, sac a provisions, provisions, courses, epicerie, fait les courses
bag: sac, sacs, sac a dos, sacoche*, sac en papier, cabas
car: voiture*, auto, autos, automobile*, bagnole*, berline
vehicle: vehicule*, circulation, trafic
van: camionnette*, fourgonnette*, fourgon*, utilitaire*, camion de livraison, camionnette de livraison
garbage truck: camion poubelle, camion benne, camion des poubelles, eboueur*
truck: camion, camions, poids lourd*
ambulance: ambulance*
bus: bus, autobus, autocar
taxi: taxi, taxis
motorbike: moto, motos, motard*, scooter*, mobylette*
tractor: tracteur*
headlights: phare, phares, feux, feux de voiture, phares de voiture, feux allumes
bike: velo, velos, bicyclette*, vtt, a velo, en velo
sledge: luge, luges, traineau*
snowman: bonhomme de neige
torch: lampe torche, lampes torches, lampe de poche, lampes de poche, torche, torches, lampe frontale, lampe
street lamp: lampadaire*, reverbere*
ball: balle, balles, ballon, ballons
toy: jouet*
glass breaking: verre casse, verre brise, bris de verre, bris de glace, verre qui se casse, verre se casse, vitre brisee, vitre cassee, vitre qui se brise, casse un verre, verre se brise, verre qui se brise, vitre se brise, du verre casse
glasses: lunettes
glass: verre, verres
alarm: alarme*, sirene*, detecteur de fumee
noise: bruit*, son fort, vacarme
shot: coup de feu, coups de feu
knock over: renverse*, fait tomber, fait tombe, faire tomber, bouscule*
break: casse, cassent, cassee, casses, cassees, casser, cassant, brise, brisee, brises, briser, brisant, brisent
mug: tasse*, mug, mugs, cafe, cafes, tasse de the, tasse de cafe, un the, du the
drink: boisson*
sofa: canape*, sofa, sofas, divan
bench: banc, bancs
chair: chaise*
cushion: coussin*
rug: tapis
window sill: rebord de fenetre, rebord de la fenetre, bord de la fenetre, appui de fenetre, rebord
window: fenetre*, vitre, vitres
vacuum: robot aspirateur, aspirateur robot, aspirateur*, robot, robots
workbench: etabli*, table de travail, plan de travail
tools: outil*
halloween: halloween, citrouille*, lanterne*, lampion*, deguise*, costume*, bonbon*
mat: paillasson*
steps: marches, escalier*, les marches
pavement: trottoir*
path: sentier, chemin
fence: cloture*, barriere*, palissade*, grillage
hedge: haie*
kennel: niche*
bowl: gamelle*, bol
watering can: arrosoir*
flower: fleur*
plants: plante, plantes
tree: arbre*, cerisier*
vegetable: legume*, potager*
flower bed: plate bande, plates bandes, parterre*, massif
book: livre, livres, bouquin*
bookcase: bibliotheque*, etagere*
snow: neige*, enneige*
rain: pluie*, pleut, pluvieux
fog: brouillard, brume*
moon: lune
table: table, tables, table basse
floor: sol, plancher
wall: mur, murs
phone: telephone*, portable, smartphone
umbrella: parapluie*
pushchair: poussette*
wheelchair: fauteuil roulant, fauteuils roulants
ladder: echelle*
knife: couteau*
boat: bateau*
bin: poubelle*
garage door: porte du garage, porte de garage, portes de garage, porte de mon garage
gate: portail*, portillon*, grille
dark top: capuche*, sweat a capuche, sweat sombre, vetements sombres, haut sombre, veste sombre, veste noire, manteau sombre, vetements noirs, habille en noir, vetu de noir
jacket: veste*, blouson*
coat: manteau*, impermeable
jumper: pull, pulls, chandail, gilet
shirt: chemise*, maillot
trousers: pantalon*
jeans: jean, jeans
dress: robe*
cap: casquette*, bonnet*
hat: chapeau*
helmet: casque*
shoes: chaussure*, bottes
beard: barbe, barbu*
hair: cheveux
paws: pattes
tail: queue
lead: laisse, en laisse, tenu en laisse
bark: aboi*, hurle*, grogne*
meow: miaul*
crying: pleur, pleure, pleurs, pleurent, pleurer, pleurant, pleurait
talk: parle, parlent, parler, parlant, parlait, parlaient, discut*, conversation*, voix, bavard*, papot*
ring: sonne*, sonnant, sonnant a la porte, sonnait, sonna
knock: frappe a la porte, frappent a la porte, frapper a la porte, frappe, frappent, frapper, frappant, toque*
comes home: rentre a la maison, rentrer a la maison, rentrent a la maison, rentre chez, rentrent chez, rentrer chez, rentre de, rentre du, rentres, rentre, rentree, rentrees, rentrent, rentrer, rentrant, rentrait, revient, reviennent, revenir, revenant, revenu*, de retour, retour, retour a la maison
enter inside: entre dans la maison, entrent dans la maison, entrer dans la maison, entre chez nous, entre chez moi
enter: rentre dans, rentrent dans, rentrer dans, entre dans, entrent, entrer, entrant, entrait, entree dans, qui entre, est entre, sont entres, est entree, entres, entre par, entre chez, entre au, entre en, penetre*
arrive: arrive, arrives, arrivee, arrivees, arrivent, arriver, arrivant, arrivait, arrivaient
leave: part, partent, partir, partant, partait, parti, partie, partis, parties, sort, sortent, sortir, sortant, sorti, sortie, sortis, sorties, sortait, sortaient, quitte, quittent, quitter, quittant, s en va, s en vont, s en aller, en allant, repart, repartent, repartir, reparti*, laisse un, laisse une, laisse le, laisse la, laisse des, laisse tomber, laissent, laisser, laissant, laissee, a laisse, ont laisse, depos*, depot, depart*, abandonne*, eloigne*
reverses: recule*, marche arriere, en marche arriere
park: gare une, gare sa, gare son, gare la, gare le, gare un, se gare, se garent, se garer, garee, garees, garent, garer, garant, gares, est gare, sont gares, stationn*, parking, parque
stop: s arrete, s arretent, arrete, arretent, arreter, arretant, arrets
driving: conduit, conduire, conduisent, conduisant, roule, roulent, rouler, roulant, roulait, roulaient
turns: demi tour, fait demi tour, tourne, tournent, tourner, tournant
pass: passe, passent, passer, passant dans, passant devant, passant par, qui passant, passes, passee, passees, passait, passaient, depasse*, croise*, croisent
run: court, courent, courir, courant, couru, courait, couraient, sprinte*, fonce, foncent, detale*, galope*, se precipit*, en courant
walk: marche, marchent, marcher, marchant, marchait, marchaient, promene, promenent, promener, promenade*, promenant, promenait, balad*, a pied, se promene, errant, erre
ride: monte a velo, fait du velo, faire du velo, font du velo, pedale*, chevauch*
cross: travers*
trot: trotte*, trottant, trottine*
chase: poursui*, pourchass*, chasse, chassent, chasser, chassant, course poursuite, court apres, courent apres, courir apres, courant apres, course
follow: suit, suivent, suivre, suivant, suivi*
play: joue, jouent, jouer, jouant, jouait, jouaient, jeu, jeux, amuse*, s amuse
fetch: rapporte*, rapportant
jump: saute, sautent, sauter, sautant, sautait, bondi*, saut
climb: grimp*, escalad*, monte sur, montent sur, monter sur
wave: salue*, saluant, fait signe, font signe, faire signe, fait coucou, faire coucou, fait un signe, signe de la main, coucou, bonjour
look around: regarde autour, regarder autour, regardent autour, regardant autour, fouin*, renifl*, inspect*, explor*, fouill*, rode, rodent, roder, rodant, rodait, flair*, furet*, espionn*, observe les lieux
look: regard*, observe*, observant, guette*, fixe
wait: attend, attendent, attendre, attendant, attendait, debout, se tient, se tiennent, traine, trainent, patient*
hunt: chasse une, chasse un, traque*, a l affut
watering: arrosage
water: arrose, arrosent, arroser, arrosant, arrosait, arroses, arrosee, arrosees
drink: boit, boivent, boire, buvant, buvait, bu
eat: mange*, mangeant, devore*
sleep: dort, dorment, dormir, dormant, dormait, dormi, endorm*, sieste*, allong*, couche, couchee, couches, se couche, somnol*, se repose, reposent, repos
sit: perche*, assis*, assied, asseoir, assoit, assoient, asseyant
hammer: marteau*, martel*, a coups de marteau
repair: repar*, bricol*
stroke: caress*, calin*
carry: porte un, porte une, porte des, porte son, porte sa, porte ses, porte le colis, porte les, qui porte, portent, porter, portant, portait, transport*, trimball*, tient, tiennent, tenant, tenir
bring: apport*, amene*, amenant, ramene*
take in: recuper*, ramass*, prend le colis, prend un colis, prend le paquet, prendre le colis, receptionn*, recoit, recevoir, rentre le colis, rentre le paquet, rentre les, va chercher, vient chercher, venu chercher, vient prendre
take: prend, prennent, prendre, prenant, pris, prise, emport*, emmene*
steal: vole un, vole une, vole le, vole la, vole les, vole mon, vole notre, vole des, a vole, ont vole, voler, volent, volant, vol, vols, vole, derob*
open: ouvre, ouvrent, ouvrir, ouvrant, s ouvre, s ouvrent, ouverture, ouvert*
close: ferme, ferment, fermer, fermant, fermee, se ferme, referme*, fermeture
unload: decharg*
pull: tire, tirent, tirer, tirant, tirait, tiree, traine un, traine une, remorqu*
push: pousse*, poussant
throw: lance, lancent, lancer, lancant, jette, jettent, jeter
sweep: balaie*, balaye*, balayant
digs: creuse*, creusant
mows: tond, tondre, tondeuse, tond la pelouse
gardening: jardinage, jardine*, jardinant, desherb*
meet: rencontr*
falls: tombe, tombent, tomber, tombant, tombee
light: lumiere*, eclair*, lampes
hides: cache*, cachant, planque*
reads: lire, lisent, lisant
clean: nettoie*, nettoyer, lave, lavent, lavant
blossom: en fleurs, fleuri*
striped: raye*, a rayures
long: long, longue, longs, longues
tied: attache, attachee, attaches
night: nuit, nuits, la nuit, de nuit, en pleine nuit, pleine nuit, nocturne*, noir complet, obscurite, dans le noir, dans l obscurite, infrarouge
dusk: crepuscule, soir, tombee de la nuit, tombee du jour, coucher du soleil, coucher de soleil, soiree
day: jour, de jour, en plein jour, plein jour, journee, en journee, la journee, lumiere du jour
dark: sombre, sombres, fonce, foncee, foncees
pale: clair, claire, clairs, claires, pale, pales
red: rouge, rouges
blue: bleu, bleue, bleus, bleues
green: vert, verte, verts, vertes
white: blanc, blanche, blancs, blanches
black: noir, noire, noirs, noires
grey: gris, grise, grises
brown: marron, marrons, brun, brune, bruns, brunes
beige: beige, beiges
orange: orange, oranges
ginger: roux, rousse, rousses
pink: rose, roses, en rose
purple: violet, violette, violets, violettes
silver: argente*
gold: dore, doree, dores, dorees, blond*
neon yellow: jaune fluo, fluo, gilet jaune
yellow: jaune, jaunes
front of the house: devant la maison, devant chez moi, devant chez nous
back of the house: derriere la maison, arriere de la maison, l arriere de la maison
driveway: allee, allees, entree du garage, entree de garage, allee du garage, allee de garage
front door: porte d entree, porte principale, porte de devant, porte de la maison, porte, portes, entree, perron, porche, devant la porte, a la porte, seuil
garden: jardin, jardins
backyard: cour, arriere cour
lawn: pelouse*, gazon, herbe
terrace: terrasse*
balcony: balcon*
street: rue, rues, route, routes, chaussee
living room: salon, salons, sejour, piece a vivre, salle de sejour
kitchen: cuisine
bedroom: chambre, chambres
hallway: couloir*, vestibule, hall
bathroom: salle de bain, salle de bains
nursery: chambre d enfant, chambre du bebe, chambre de bebe
basement: sous sol, cave
attic: grenier, combles
office: bureau
dining room: salle a manger
shed: abri de jardin, cabanon, remise, cabane
pool: piscine*
roof: toit
workshop: atelier*
garage: garage, garages
house: maison, maisons
upstairs: etage, a l etage, en haut, au premier etage, premier etage
downstairs: en bas, rez de chaussee
inside: dedans, interieur, a l interieur, dans la maison, dans notre maison, dans ma maison, l interieur
outside: autour de la maison, dehors, exterieur, a l exterieur, l exterieur, en exterieur
without: sans, sauf, hormis, excepte
not: ne ... pas ..., n ... pas ..., ne ... plus ..., n ... plus ..., ne ... jamais ..., n ... jamais ...
not: y a pas de, y a pas d, n y a pas, y a aucun, y a aucune, pas, pas de, pas d, mais pas, aucun, aucune, ni, ne, n, non, jamais
or: ou, ou bien, soit
: ou pas, ou non, en haut de, en haut du, au dessus, allume, allumee, allumes, vetement*, habit, habits, habille*, vetu*, a la maison, de la maison, chez moi, chez nous, en train de, en train d, ou est, ou sont, ou etait, y a t il, a t il, est ce que, est ce qu, qu est ce, il y a, y a, il y avait, n est ce pas, tout a l heure
: le, la, les, l, un, une, des, du, de, d, et, avec, dans, en, au, aux, a, sur, sous, pour, par, entre, contre, apres, avant, depuis, pendant, jusque, jusqu, chez, vers, devant, derriere, pres, autour, cote, a cote, bord, milieu, hors, travers, parmi, que, qui, qu, dont, lequel, laquelle, quand, comment, pourquoi, combien, quel, quelle, quels, quelles, quoi, lorsque, lorsqu, si, comme, puis, ainsi, car, donc, mais
: se, son, sa, ses, mon, ma, mes, ton, ta, tes, notre, nos, votre, vos, leur, leurs, il, ils, elle, elles, on, je, j, tu, nous, vous, me, m, te, t, moi, lui, eux, y, ce, c, cette, cet, ces, ca, cela, celui, celle, ceux, tout, toute, tous, toutes, autre, autres, quelque, quelques, chaque, chose, choses, meme
: est, sont, etait, etaient, ete, etre, suis, sera, a, ont, avait, avaient, as, ai, eu, avoir, va, vont, aller, allait, alle, allee vers, vient, viennent, venir, venant, venait, venu, venue, venus, venues, fait, font, faire, faisant, faisait, peut, peux, peuvent, veux, voir, vois, voit, voient, vu, vue, vus, apercoit, entend, entends, entendre, entendu, trouve, trouver, montre, montrer, montrez, affiche, cherche, cherchent, chercher, recherche, passe t il, met, mettent, mettre, pose, veut, veulent, essaie*, essaye*, tente, tentent, tenter, commence*, retrouve*
: video, videos, camera, cameras, clip, clips, image, images, enregistrement*, sequence*, moment, moments, train, ici, la bas, encore, aussi, deja, juste, bien, tres, trop, plus, ensemble, seul, seule, seuls, toujours, souvent, dernier, derniere, premier, premiere, fois, grand, grande, grands, petit, petite, petits, petites, gros, grosse, vieux, vieille, vieilles, jeune, nouveau, nouvelle, beau, belle, joli*, mignon*, drole*, vite, rapidement, lentement, loin, haut, bas, coin, endroit, s il, plait
`

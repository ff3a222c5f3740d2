import Database from 'better-sqlite3';
import { openSearch } from '/work/wt/w3/src/catalogue/search.ts';
import { CatalogueReader } from '/work/wt/w3/src/store/reader.ts';
const db=new Database('/tmp/w3data/million.db',{readonly:true});
let log:any[]|null=null;
const prep=db.prepare.bind(db);
const conn=new Proxy(db,{get(t,n){ if(n!=='prepare'){const v=Reflect.get(t,n) as any; return typeof v==='function'?v.bind(t):v}
 return (text:string)=>{const s=prep(text) as any; for(const m of ['all','get']){const o=s[m].bind(s); s[m]=(...a:any[])=>{const b=performance.now();const r=o(...a);log?.push([performance.now()-b,Array.isArray(r)?r.length:1,JSON.stringify(a).slice(0,150),text.replace(/\s+/g,' ').slice(0,90)]);return r}} return s}}});
new CatalogueReader(conn as any);
const T=performance.now();const search=openSearch(conn as any); while(!search.loadWords());console.log("loaded",performance.now()-T);

for(const q of process.argv.slice(2)){
 let best=1e9, bl:any[]=[];
 for(let i=0;i<4;i++){ log=[]; const b=performance.now(); search.search(q,20,Date.now()); const d=performance.now()-b; if(d<best){best=d;bl=log} }
 console.log('##',q,best.toFixed(1),bl.length,'statements');
 for(const l of bl.sort((a,b)=>b[0]-a[0]).slice(0,7)) console.log('  ',l[0].toFixed(2),l[1],l[2],l[3]);
}

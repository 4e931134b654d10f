package index
import ("testing";"os";"bufio";"strings";"context";"time";"fmt")
func TestTry(t *testing.T){
 dir:=t.TempDir()
 start:=time.Now()
 r,err:=Build(context.Background(),Options{Root:"/work/wt/index",Dir:dir,Sources:[]string{"*.md","schema/*.md","stories/*/README.md","docs/**/*.md","build/*.md"},Env:os.Environ(),Now:time.Now},nil)
 if err!=nil{t.Fatal(err)}
 fmt.Println(r,time.Since(start))
 s,err:=Open(context.Background(),dir); if err!=nil{t.Fatal(err)}
 f,_:=os.Open("../recall/testdata/questions.tsv")
 sc:=bufio.NewScanner(f)
 cnt:=map[string]int{}
 set:=os.Getenv("SET")
 for sc.Scan(){ if strings.HasPrefix(sc.Text(),"#"){continue}
  p:=strings.Split(sc.Text(),"\t")
  hits,err:=s.Search(context.Background(),Query{Prompt:p[2],Floor:0.2,TurnFloor:0.7,Limit:3}); if err!=nil{t.Fatal(err)}
  ok:=p[1]=="-"; var d []string
  for i,h:=range hits{ name:=h.Path+"#"+h.Title[strings.LastIndex(h.Title," > ")+1:]; if j:=strings.LastIndex(h.Title," > ");j>=0{name=h.Path+"#"+h.Title[j+3:]}
   if h.Relevance>=0.55{ if p[1]=="-"{ok=false} else if strings.Contains(p[1],name){ok=true}}
   if i<3{d=append(d,fmt.Sprintf("%.2f %s:%d",h.Relevance,name,h.Line))}}
  k:=p[0]+" "+map[bool]string{true:"un",false:"ans"}[p[1]=="-"]
  cnt[k+" all"]++; if ok{cnt[k+" ok"]++}
  if p[0]==set {fmt.Println(ok,p[2],"=>",p[1],"::",strings.Join(d,"  |  "))
  if os.Getenv("TERMS")!=""{ l:=&lookup{ctx:context.Background(),Searcher:s,question:s.lex.ask(p[2])}; l.run(); for i,x:=range l.terms{fmt.Printf("   %s %.2f df=%d\n",x.forms,x.weight/l.total,l.sets[i].GetCardinality())}}}
 }
 fmt.Println(cnt)
}

package index
import ("testing";"os";"bufio";"strings";"context";"time";"fmt")
func TestTry(t *testing.T){
 dir:=t.TempDir()
 _,err:=Build(context.Background(),Options{Root:"/work/wt/index",Dir:dir,Sources:[]string{"*.md","schema/*.md","stories/*/README.md","docs/**/*.md","build/*.md"},Env:os.Environ(),Now:time.Now},nil)
 if err!=nil{t.Fatal(err)}
 s,err:=Open(context.Background(),dir); if err!=nil{t.Fatal(err)}
 f,_:=os.Open("../recall/testdata/questions.tsv")
 sc:=bufio.NewScanner(f)
 for sc.Scan(){ if strings.HasPrefix(sc.Text(),"#"){continue}
  p:=strings.Split(sc.Text(),"\t")
  hits,err:=s.Search(context.Background(),Query{Prompt:p[2],Floor:0.2,TurnFloor:0.7,Limit:3}); if err!=nil{t.Fatal(err)}
  top:=0.0; best:=0.0
  for _,h:=range hits{ name:=h.Path+"#"+h.Title; if j:=strings.LastIndex(h.Title," > ");j>=0{name=h.Path+"#"+h.Title[j+3:]}
   top=max(top,h.Relevance); if p[1]!="-"&&strings.Contains(p[1],name){best=max(best,h.Relevance)} }
  if p[0]=="held"{continue}
  if p[1]=="-" {fmt.Printf("UN %.2f %s\n",top,p[2])} else {fmt.Printf("AN %.2f %.2f %s\n",best,top,p[2])}
  if p[1]=="-" && top>=0.5 { l:=&lookup{ctx:context.Background(),Searcher:s,question:s.lex.ask(p[2])}; l.run(); for i,x:=range l.terms{fmt.Printf("      %s %.2f df=%d\n",x.forms,x.weight/l.total,l.sets[i].GetCardinality())}}
 }
}
